/** Defines the interface for authors of providers. Schemas are in Terraform's JSON; values are checked against them when they are sent. */
import type { ObjectValue, Path, TerraformSchema, TerraformType, Value } from "../values";
import type { Log } from "./log";

export type Awaitable<T> = T | Promise<T>;

export interface Provider {
  /** Schema of the provider's own configuration. */
  readonly schema: TerraformSchema;
  readonly resources?: { readonly [type: string]: ResourceDefinition };
  readonly dataSources?: { readonly [type: string]: DataSourceDefinition };
  readonly ephemeralResources?: { readonly [type: string]: EphemeralResourceDefinition };
  /** By the type of the managed resource that each lists. That resource has an identity. Terraform asks for them from 1.14 on. */
  readonly listResources?: { readonly [type: string]: ListResourceDefinition };
  readonly functions?: { readonly [name: string]: FunctionDefinition };

  /** Checks the provider's configuration; parts may be unknown. */
  validate?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;
  /** Comes before every other call but validation and functions. Parts may be unknown while planning. */
  configure?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;
  /** Terraform wants to stop; the calls' signals are aborted already. */
  stop?(): Awaitable<void>;
  /** Words an error that one of the provider's methods threw. @default its message */
  diagnose?(error: unknown): readonly Diagnostic[] | undefined;
}

/** Circumstances of a call. */
export interface Call {
  /** Aborted when Terraform asks the provider to stop, gives this call up, or is gone. */
  readonly signal: AbortSignal;
  /**
   * True if Terraform has gone, or has cancelled this call, so that the answer will not be received. A stop is not a loss: Terraform waits
   * for the calls that it asked to stop, and keeps their answers.
   */
  readonly isLost: boolean;
  readonly log: Log;
}

/** An error or a warning of a call. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail?: string;
  /** The attribute that is at fault, from the resource's root. */
  readonly attribute?: Path;
}

/** For calls that return findings alone. No findings mean success. */
export interface DiagnosticsResult {
  readonly diagnostics?: readonly Diagnostic[];
}

/** Notes of a resource in addition to its state, which Terraform never shows: a JSON object. It is not encrypted. */
export type PrivateState = ObjectValue;

/** Returned by calls on existing objects. If it is left out, private state stays as it was. */
interface WithPrivateState extends DiagnosticsResult {
  readonly private?: PrivateState;
}

// Managed resources.

/** A managed resource. Methods may throw: the exception becomes an error, and the prior state stays. */
export interface ResourceDefinition {
  readonly schema: TerraformSchema;

  /** The identity of an object of this type. Without it, only the state identifies an object. Terraform asks for it from 1.12 on. */
  readonly identity?: Identity;

  /** Checks the configuration; parts may be unknown. Runs before the provider is configured. */
  validate?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;

  /** Plans a create or an update. @default core's proposal */
  plan?(request: PlanRequest, call: Call): Awaitable<PlanResult>;

  /** Judges a delete while it is planned; of a replacement it sees nothing. */
  planDelete?(request: DeleteRequest, call: Call): Awaitable<PlanDeleteResult | void>;

  read(request: ReadRequest, call: Call): Awaitable<ReadResult>;

  create(request: CreateRequest, call: Call): Awaitable<WriteResult>;

  /** Left out: every change takes a new object. */
  update?(request: UpdateRequest, call: Call): Awaitable<WriteResult>;

  /** The object is gone unless there are errors. */
  delete(request: DeleteRequest, call: Call): Awaitable<DiagnosticsResult | void>;

  /** Finds an existing object by the id of an import. Left out: there is no import. */
  import?(id: string, call: Call): Awaitable<ImportResult>;
}

export interface Identity {
  readonly attributes: { readonly [name: string]: IdentityAttribute };

  /** The identity of an object that exists; its state holds it. */
  of(state: ObjectValue): ObjectValue;

  /**
   * The text to import by, for an identity that the user wrote. Attributes in it may be null. The object that is found must have every value
   * that was written.
   * @throws where nothing can be looked for
   */
  idFor(identity: ObjectValue): string;
}

/** The user may leave any of them out of the `identity` of an import. */
export interface IdentityAttribute {
  readonly type: TerraformType;
  readonly description: string;
}

export interface ReadRequest {
  readonly state: ObjectValue;
  readonly private: PrivateState;
}
export interface ReadResult extends WithPrivateState {
  /** Null when the object is gone. Left out, it is as it was. */
  readonly state?: ObjectValue | null;
}

export interface PlanRequest {
  /** Null when the object is to be created. */
  readonly prior: ObjectValue | null;
  readonly config: ObjectValue;
  /**
   * Core's proposal: the configured value if there is one, else prior state. Write-only attributes are null. For a new object, computed
   * attributes without configuration are unknown.
   */
  readonly proposed: ObjectValue;
  readonly private: PrivateState;
}
export interface PlanResult extends WithPrivateState {
  /** @default the proposal */
  readonly planned?: ObjectValue;
  /** Attributes whose change takes a new object. */
  readonly requiresReplace?: readonly Path[];
}

export interface CreateRequest {
  readonly config: ObjectValue;
  readonly planned: ObjectValue;
  readonly private: PrivateState;
}
export interface UpdateRequest extends CreateRequest {
  readonly prior: ObjectValue;
}
export interface WriteResult extends WithPrivateState {
  /**
   * The object after the call, also where there are errors: then, null after a create means that nothing was made, and leaving it out after
   * an update that nothing was changed.
   */
  readonly state?: ObjectValue | null;
}

export interface DeleteRequest {
  readonly prior: ObjectValue;
  readonly private: PrivateState;
}

export interface PlanDeleteResult extends DiagnosticsResult {
  /** Private state for the delete. @default as it was */
  readonly private?: PrivateState;
}

export interface ImportResult extends DiagnosticsResult {
  readonly imported?: readonly ImportedObject[];
}
export interface ImportedObject {
  /** The known part of the state; all else is null. Terraform reads the object next. */
  readonly state: ObjectValue;
  readonly private?: PrivateState;
}

// Data sources, ephemeral resources, list resources and functions.

export interface DataSourceDefinition {
  readonly schema: TerraformSchema;
  validate?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;
  /** The configuration is wholly known. */
  read(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult & { readonly state?: ObjectValue }>;
}

/** A value for one run, in no state and no plan. */
export interface EphemeralResourceDefinition {
  readonly schema: TerraformSchema;
  validate?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;
  /** The configuration is wholly known. */
  open(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult & { readonly result?: ObjectValue }>;
}

/** Finds existing objects of a managed resource, for `terraform query`. */
export interface ListResourceDefinition {
  /** Schema of the `config` block. */
  readonly schema: TerraformSchema;
  validate?(config: ObjectValue, call: Call): Awaitable<DiagnosticsResult | void>;
  /** The configuration is wholly known. The runtime stops reading when Terraform has enough. */
  list(config: ObjectValue, call: Call): AsyncIterable<ListedObject> | Iterable<ListedObject>;
}
export interface ListedObject extends DiagnosticsResult {
  /** Names the object for people. */
  readonly displayName: string;
  /** The state that an import would give. Null: there are diagnostics alone. */
  readonly state: ObjectValue | null;
}

export interface FunctionDefinition {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  /** Takes all further arguments. */
  readonly variadic?: Parameter;
  readonly returns: TerraformType;
  /**
   * Arguments come in order, the variadic ones at the end. Functions are pure: they run before the provider is configured.
   * @throws FunctionFailure to blame one argument.
   */
  call(...args: readonly Value[]): Awaitable<Value>;
}

export interface Parameter {
  readonly name: string;
  readonly type: TerraformType;
  readonly description?: string;
  /** True if null may be passed; otherwise Terraform refuses it. */
  readonly allowNull?: boolean;
  /** True if unknown values may be passed; otherwise Terraform takes the result for unknown without asking. */
  readonly allowUnknown?: boolean;
}

/** A function cannot work with its arguments. */
export class FunctionFailure extends Error {
  /** Index of the argument that is at fault, if one is. */
  readonly argument: number | undefined;

  constructor(message: string, argument?: number) {
    super(message);
    this.name = "FunctionFailure";
    this.argument = argument;
  }
}
