/** What the author of a managed resource writes. */
import { type ObjectValue, type Path, type Value } from "../../values";
import { type Diagnostic } from "./diagnostics";
import { type PrivateState } from "./private-state";
import { type Call, type Deferral } from "./provider";
import { type Identity } from "./schemas/identity";
import { type Schema } from "./schemas/schema";
import { type ConfigOf, type KnownConfigOf, type PlanOf, type StateOf } from "./schemas/value-of";

/** Findings are all that a call has to tell; none means that all is well. */
export interface Findings {
  readonly diagnostics?: readonly Diagnostic[];
}

/** What calls on existing objects may return besides: left out, private state stays as it was. */
interface Kept extends Findings {
  readonly private?: PrivateState;
}

export interface ReadRequest<S extends Schema> {
  readonly state: StateOf<S>;
  readonly private: PrivateState;
}
export interface ReadResult<S extends Schema> extends Kept, Deferral {
  /** Null when the object is gone. Left out, it is as it was. */
  readonly state?: StateOf<S> | null;
}

export interface PlanRequest<S extends Schema> {
  /** Null when the object is to be created. */
  readonly prior: StateOf<S> | null;
  readonly config: ConfigOf<S>;
  /**
   * Core's proposal: configuration where there is some, else prior state. Write-only attributes are null; for a new object,
   * what is computed and not configured is unknown.
   */
  readonly proposed: PlanOf<S>;
  readonly private: PrivateState;
}
export interface PlanResult<S extends Schema> extends Kept, Deferral {
  /** @default what was proposed */
  readonly planned?: PlanOf<S>;
  /** Attributes whose change takes a new object. */
  readonly requiresReplace?: readonly Path[];
}

export interface CreateRequest<S extends Schema> {
  readonly config: KnownConfigOf<S>;
  readonly planned: PlanOf<S>;
  readonly private: PrivateState;
}
export interface UpdateRequest<S extends Schema> extends CreateRequest<S> {
  readonly prior: StateOf<S>;
}
export interface WriteResult<S extends Schema> extends Kept {
  /**
   * The object after the call, also where there are errors: then, null after a create means that nothing was made, and
   * leaving it out after an update that nothing was changed.
   */
  readonly state?: StateOf<S> | null;
}

export interface DeleteRequest<S extends Schema> {
  readonly prior: StateOf<S>;
  readonly private: PrivateState;
}

export interface ImportedObject {
  /** As much of the state as is known; what it lacks is null. Terraform reads the object next. */
  readonly state: ObjectValue;
  readonly private?: PrivateState;
}
export interface ImportResult extends Findings, Deferral {
  readonly imported?: readonly ImportedObject[];
}

export interface MoveRequest {
  /** Such as `registry.terraform.io/hashicorp/null`. */
  readonly sourceProvider: string;
  readonly sourceType: string;
  readonly sourceVersion: number;
  readonly sourceState: Value;
  readonly sourcePrivate: PrivateState;
}
export interface MoveResult<S extends Schema> extends Kept {
  readonly state?: StateOf<S>;
}

export interface UpgradeRequest {
  /** Version of the schema under which the state was stored. */
  readonly version: number;
  readonly state: ObjectValue;
}
export interface UpgradeResult<S extends Schema> extends Findings {
  readonly state?: StateOf<S>;
}

/** A managed resource. Methods may throw: that becomes an error, and what was there before stays in the state. */
export interface ResourceDefinition<S extends Schema = Schema> {
  readonly schema: S;

  /** What tells an object of this type from all others. Left out: its state alone does. Terraform asks for it from 1.12 on. */
  readonly identity?: Identity;

  /** Checks the configuration; parts may be unknown. Runs before the provider is configured. */
  validate?(config: ConfigOf<S>, call: Call): Awaitable<Findings | void>;

  /** Plans a create or an update. @default what core proposes */
  plan?(request: PlanRequest<S>, call: Call): Awaitable<PlanResult<S>>;

  /** Judges a delete while it is planned; of a replacement it sees nothing. */
  planDelete?(request: DeleteRequest<S>, call: Call): Awaitable<Kept | void>;

  read(request: ReadRequest<S>, call: Call): Awaitable<ReadResult<S>>;

  create(request: CreateRequest<S>, call: Call): Awaitable<WriteResult<S>>;

  /** Left out: every change takes a new object. */
  update?(request: UpdateRequest<S>, call: Call): Awaitable<WriteResult<S>>;

  /** The object is gone unless there are errors. */
  delete(request: DeleteRequest<S>, call: Call): Awaitable<Kept | void>;

  /** Finds an existing object by what the user calls it. Left out: there is no import. */
  import?(id: string, call: Call): Awaitable<ImportResult>;

  /** Takes over the state of another type of resource; undefined means not this type. */
  move?(request: MoveRequest, call: Call): Awaitable<MoveResult<S> | undefined>;

  /** Brings state of an older schema version to this one. */
  upgrade?(request: UpgradeRequest, call: Call): Awaitable<UpgradeResult<S>>;
}

export type Awaitable<T> = T | Promise<T>;

/** A resource whose schema the compiler reads, so that its methods can only return values of that shape. */
export function defineResource<const S extends Schema>(
  definition: ResourceDefinition<S>,
): ResourceDefinition {
  // Its methods are called with values that were decoded by this very schema, and with no others.
  return definition as unknown as ResourceDefinition;
}
