/** A history: what a user declares and runs, what others do meanwhile, and what goes wrong. */
import type { ApprovalDemand } from "./approval";
import type { Edit } from "./declaration";
import type { Fault } from "./fault";
import type { Rival } from "./rival";
import type { DeclaredUuids } from "./uuids";
import type { AddressName } from "../world/gateway";

export type Verb = "plan" | "apply" | "saved" | "destroy";

export interface Flags {
  readonly allowAccountDeletion: boolean;
  readonly allowNonempty: boolean;
  readonly allowSelfChange: boolean;
  readonly retireEarly: boolean;
  readonly maxDeletes: number | undefined;
  readonly resetPasswords: boolean;
  readonly initState: boolean;
  readonly verifyTokens: boolean;
  /** The run only records what is declared and live. */
  readonly recover: boolean;
}

/** Who reads what a run prints, and not to its end. Of an engine without output: who stops it after so many events. */
export type Reader =
  | { readonly kind: "leaves"; readonly afterLines: number }
  /** There is no room for what it prints. */
  | { readonly kind: "full disk" };

export interface Step {
  /** By which of its names the service is known in this step. */
  readonly address: AddressName;
  /** Of the run that may write. */
  readonly reader: Reader | undefined;
  readonly edits: readonly Edit[];
  /** Done by others before the run. */
  readonly rivals: readonly Rival[];
  readonly wipesState: boolean;
  readonly verb: Verb;
  /** Done by others between the plan and the apply of a saved plan. */
  readonly between: readonly Rival[];
  /** Of an apply, also of a saved plan. Terraform knows no approval. */
  readonly approval: ApprovalDemand | undefined;
  readonly flags: Flags;
  readonly faults: readonly Fault[];
  readonly parallelism: 1 | 4;
}

/** Traits of a service that the specification leaves open. */
export interface ServiceTraits {
  readonly contacts: "names" | "full";
  readonly accountDelete: "cascade" | "refuse";
  readonly duplicateStatus: 400 | 409;
  readonly reuseUuids: boolean;
  readonly revocation: boolean;
  /** The service's way with a revocation, if it has such a call: done, refused (403), or answered and not done. */
  readonly revokes: "as asked" | "refuses" | "ignores";
  readonly suspendedStatus: 401 | 403;
  readonly passwordEndsTokens: boolean;
  readonly describeCaller: { readonly permissions: boolean; readonly user: boolean };
}

/** The credential that the runs work with. The insider sees no account but `ops`. */
export type CallerName =
  "system" | "deployer" | "token of deployer" | "insider" | "deployer with one-time codes";

export interface History {
  readonly service: ServiceTraits;
  readonly caller: CallerName;
  /** Uuids that the configuration declares. */
  readonly uuids: DeclaredUuids;
  /** True if the app has a second stack, which manages its own records. */
  readonly hasSibling: boolean;
  /** Number of provider configurations for the service besides the first one. */
  readonly aliases: number;
  /** True if nothing happens but that the first run is killed. */
  readonly isKilledFirst: boolean;
  /** The first declaration, as edits. */
  readonly start: readonly Edit[];
  readonly steps: readonly Step[];
}

export const NO_FLAGS: Flags = {
  allowAccountDeletion: false,
  allowNonempty: false,
  allowSelfChange: false,
  retireEarly: false,
  maxDeletes: undefined,
  resetPasswords: false,
  initState: false,
  verifyTokens: false,
  recover: false,
};

/** Every decision that a run can ask for, given beforehand, except those about the run's own credential. */
export const ALL_ALLOWED: Flags = {
  allowAccountDeletion: true,
  allowNonempty: true,
  allowSelfChange: false,
  retireEarly: true,
  maxDeletes: 1000,
  resetPasswords: true,
  initState: true,
  verifyTokens: true,
  recover: false,
};
