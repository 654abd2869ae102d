/** What the author of a provider writes. */
import { type DataSourceDefinition } from "./data-source";
import { type Diagnostic } from "./diagnostics";
import { type EphemeralResourceDefinition } from "./ephemeral-resource";
import { type FunctionDefinition } from "./function";
import { type Log } from "./process/log";
import { type Awaitable, type Findings, type ResourceDefinition } from "./resource";
import { type Schema } from "./schemas/schema";
import { type ConfigOf } from "./schemas/value-of";

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
  /** Says what an error means that one of the provider's methods threw. @default its message */
  diagnose?(error: unknown): readonly Diagnostic[] | undefined;
}
