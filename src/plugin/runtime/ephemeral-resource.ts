/** What the author of an ephemeral resource writes: a value for one run, in no state and no plan. */
import { type PrivateState } from "./private-state";
import { type Call, type Deferral } from "./provider";
import { type Awaitable, type Findings } from "./resource";
import { type Schema } from "./schemas/schema";
import { type ConfigOf, type KnownConfigOf, type StateOf } from "./schemas/value-of";

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
