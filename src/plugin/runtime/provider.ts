/** Defines what the author of a provider writes. */
import {
  formatPath,
  isObject,
  type ObjectValue,
  parseJson,
  type Path,
  stringifyJson,
  type Value,
} from "../../values";
import type { Log } from "./log";
import { type DiagnosticDraft, severities } from "./messages";
import type { ConfigOf, KnownConfigOf, PlanOf, Schema, StateOf } from "./schema";
import { attributePath, sourcePath } from "./schema-description";
import type { Type } from "./values";

export interface IdentityAttribute {
  readonly type: Type;
  /** Markdown. */
  readonly description?: string;
  /** Whether the user has to write it in the `identity` of an import; all others may be left out there. */
  readonly required?: boolean;
}

export interface Identity {
  /** Counts up when the attributes change. @default 0 */
  readonly version?: number;
  readonly attributes: { readonly [name: string]: IdentityAttribute };

  /** The identity of an object that exists; its state holds it. */
  of(state: ObjectValue): ObjectValue;

  /**
   * What to import for an identity that the user wrote, in which attributes may be null. The object that is found must have every value
   * that was written.
   * @throws where nothing can be looked for
   */
  idFor(identity: ObjectValue): string;
}

/** What surrounds every call. */
export interface Call {
  /** Aborted when Terraform asks the provider to stop, gives this call up, or is gone. */
  readonly signal: AbortSignal;
  /**
   * Whether Terraform is gone, or has given this call up, so that nobody will receive what it gives. A stop is not a loss: Terraform waits
   * for the calls that it asked to stop, and keeps their answers.
   */
  readonly isLost: boolean;
  /** Whether the client takes a deferral for an answer. */
  readonly deferralAllowed: boolean;
  readonly log: Log;
}

export type DeferralReason = "resource_config_unknown" | "provider_config_unknown" | "absent_prerequisite";

export interface Deferral {
  /** Puts the object off to a later run; only where the call allows it. */
  readonly deferred?: DeferralReason;
}

export interface ConfigureCall extends Call {
  readonly terraformVersion: string;
}

export interface Provider<S extends Schema = Schema> {
  /** Of the provider's own configuration. */
  readonly schema: S;
  readonly resources?: { readonly [type: string]: ResourceDefinition };
  readonly dataSources?: { readonly [type: string]: DataSourceDefinition };
  readonly ephemeralResources?: { readonly [type: string]: EphemeralResourceDefinition };
  readonly functions?: { readonly [name: string]: FunctionDefinition };

  /** Checks the provider's configuration; parts may be unknown. */
  validate?(config: ConfigOf<S>, call: Call): Awaitable<Findings | void>;
  /** Comes before every other call but validation and functions. Parts may be unknown while planning. */
  configure?(config: ConfigOf<S>, call: ConfigureCall): Awaitable<Findings | void>;
  /** Terraform wants to stop; the calls' signals are aborted already. */
  stop?(): Awaitable<void>;
  /** Words an error that one of the provider's methods threw. @default its message */
  diagnose?(error: unknown): readonly Diagnostic[] | undefined;
}

// Managed resources.

/** For calls that return findings alone. No findings mean success. */
export interface Findings {
  readonly diagnostics?: readonly Diagnostic[];
}

/** Returned by calls on existing objects. If it is left out, private state stays as it was. */
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

  /** The identity of an object of this type. Without it, only the state identifies an object. Terraform asks for it from 1.12 on. */
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

/** What the author of a data source writes. */
export interface DataResult<S extends Schema> extends Findings, Deferral {
  readonly state?: StateOf<S>;
}

export interface DataSourceDefinition<S extends Schema = Schema> {
  readonly schema: S;
  validate?(config: ConfigOf<S>, call: Call): Awaitable<Findings | void>;
  read(config: KnownConfigOf<S>, call: Call): Awaitable<DataResult<S>>;
}

/** A data source whose schema the compiler reads. */
export function defineDataSource<const S extends Schema>(
  definition: DataSourceDefinition<S>,
): DataSourceDefinition {
  // Its methods are called with values that were decoded by this very schema, and with no others.
  return definition as unknown as DataSourceDefinition;
}

/** What the author of an ephemeral resource writes: a value for one run, in no state and no plan. */
export interface RenewResult extends Findings {
  /** For `renew` and `close`, in memory only. Left out of a renewal, it stays as it was. */
  readonly private?: PrivateState;
  /** When Terraform is to renew it, should it still be in use then. */
  readonly renewAt?: Date;
}

export interface OpenResult<S extends Schema> extends RenewResult, Deferral {
  readonly result?: StateOf<S>;
}

export interface EphemeralResourceDefinition<S extends Schema = Schema> {
  readonly schema: S;
  validate?(config: ConfigOf<S>, call: Call): Awaitable<Findings | void>;
  open(config: KnownConfigOf<S>, call: Call): Awaitable<OpenResult<S>>;
  renew?(held: PrivateState, call: Call): Awaitable<RenewResult>;
  close?(held: PrivateState, call: Call): Awaitable<Findings | void>;
}

/** An ephemeral resource whose schema the compiler reads. */
export function defineEphemeralResource<const S extends Schema>(
  definition: EphemeralResourceDefinition<S>,
): EphemeralResourceDefinition {
  // Its methods are called with values that were decoded by this very schema, and with no others.
  return definition as unknown as EphemeralResourceDefinition;
}

/** What the author of a provider function writes. */
export interface Parameter {
  readonly name: string;
  readonly type: Type;
  readonly description?: string;
  /** Whether null may be passed; otherwise Terraform refuses it. */
  readonly allowNull?: boolean;
  /** Whether unknown values may be passed; otherwise Terraform takes the result for unknown without asking. */
  readonly allowUnknown?: boolean;
}

export interface FunctionDefinition {
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: string;
  readonly parameters?: readonly Parameter[];
  /** Takes all further arguments. */
  readonly variadic?: Parameter;
  readonly returns: Type;
  /**
   * Arguments come in order, the variadic ones at the end. Functions are pure: they run before the provider is configured.
   * @throws FunctionFailure to blame one argument.
   */
  call(...args: readonly Value[]): Awaitable<Value>;
}

/** A function cannot do with what it was given. */
export class FunctionFailure extends Error {
  /** Index of the argument that is at fault, if one is. */
  readonly argument: number | undefined;

  constructor(message: string, argument?: number) {
    super(message);
    this.name = "FunctionFailure";
    this.argument = argument;
  }
}

/** What a call has to tell besides its result. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail?: string;
  /** The attribute that is at fault, from the resource's root. */
  readonly attribute?: Path;
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Diagnostics as the protocol sends them; the schema tells attributes from map keys in their paths. */
export function diagnosticMessages(
  diagnostics: readonly Diagnostic[],
  schema: Schema | undefined,
): readonly DiagnosticDraft[] {
  return diagnostics.map(({ severity, summary, detail = "", attribute = [] }) => {
    const shown = schema === undefined ? [] : sourcePath(schema, attribute);
    return {
      severity: severities[severity],
      summary,
      detail: shown.length === attribute.length ? detail : withPlace(detail, attribute),
      attribute: schema === undefined || shown.length === 0 ? undefined : attributePath(schema, shown),
    };
  });
}

function withPlace(detail: string, attribute: Path): string {
  const place = `At ${formatPath(attribute)}.`;
  return detail === "" ? place : `${detail}\n\n${place}`;
}

/** What a resource keeps beside its state, out of everybody's sight: a JSON object. It is not encrypted. */
export type PrivateState = ObjectValue;

/** Reads private state. What no provider on this runtime has written, after a move from another one, counts as none. */
export function decodePrivate(bytes: Uint8Array | undefined): PrivateState {
  if (bytes === undefined || bytes.length === 0) return {};
  try {
    const value = parseJson(Buffer.from(bytes).toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Writes private state; an empty one is no bytes at all. */
export function encodePrivate(state: PrivateState): Uint8Array {
  return Buffer.from(Object.keys(state).length === 0 ? "" : stringifyJson(state));
}
