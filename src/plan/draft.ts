/** All that the guards may look at: the plan before it is judged, and the facts that it was made from. */
import type { Snapshot } from "../resources/directory";
import type { Change, Retained } from "./change";

/** What the user allowed for this run (design: Guards). */
export interface Permits {
  readonly accountDeletion: boolean | readonly string[];
  readonly nonempty: boolean;
  readonly selfChange: boolean;
  /** Whether a rotation may revoke what an earlier one has replaced, before its time. */
  readonly retireEarly: boolean;
  readonly maxDeletes: number | undefined;
}

/** One service as the plan found it. */
export interface Surveyed {
  readonly provider: string;
  readonly origin: string;
  readonly owner: string;
  /** Who the run acts as, as the plan names it. */
  readonly caller: string;
  readonly snapshot: Snapshot;
  /** Why its lists cannot be believed; undefined where they are whole. */
  readonly incomplete: string | undefined;
  /**
   * What is ours: accounts, profiles, and tokens of the store; for each how many records cease with it, since an account has a primary
   * profile. Names are such that what two aliases of a service see is the same.
   */
  readonly owned: ReadonlyMap<string, number>;
  /** Serial of the token that the run itself uses, where that is one of the store's. */
  readonly ownToken: string | undefined;
}

/** Why an account may not be deleted although it is allowed: what is still in it. */
export interface Contents {
  readonly provider: string;
  readonly accountId: string;
  readonly findings: readonly string[];
  /** Logins in it that no change of the plan is about: they cease with it. */
  readonly others: readonly string[];
}

export interface Draft {
  readonly changes: readonly Change[];
  readonly retained: readonly Retained[];
  readonly surveyed: readonly Surveyed[];
  readonly permits: Permits;
  readonly destroy: boolean;
  /** Time by which replaced tokens are judged. */
  readonly asOf: Date;
  /** Whether the stack declares any object of ours at all. */
  readonly declaresNothing: boolean;
  /** Of the accounts that are to be deleted, those that are not empty. */
  readonly contents: readonly Contents[];
  /** Addresses under `lifecycle { prevent_destroy = true }`. */
  readonly preventDestroy: ReadonlySet<string>;
}

export function surveyOf(draft: Draft, change: Change): Surveyed | undefined {
  return draft.surveyed.find(({ provider }) => provider === change.provider);
}
