/** An invariant is true of every run, the failed ones too. */
import type { DemandedApproval, NeededPair } from "../model/approval";
import type { Declaration } from "../model/declaration";
import type { Flags, Reader, ServiceTraits } from "../model/history";
import type { Maker } from "../model/rival";
import type { DeclaredUuids } from "../model/uuids";
import type { Chronicle } from "../world/chronicle";
import type { Exchange } from "../world/exchange";
import type { KeptState } from "../world/kept-state";
import type { Snapshot } from "../world/snapshot";

export type RunVerb = "plan" | "apply" | "apply FILE" | "destroy";

/** The end of a run, as its user sees it. */
export interface Outcome {
  /** `refused`: ended by a typed error before anything was begun. `crashed`: by any other. */
  readonly end: "ok" | "failed" | "refused" | "killed" | "crashed";
  /** Codes of all errors. */
  readonly codes: readonly string[];
  /** Failures, in the order of time. */
  readonly failures: readonly Failure[];
  /** True if nobody read some of its output. Its plan and its work are then known only in part. */
  readonly isUnread?: boolean;
  /** All that anybody could see of it. */
  readonly printed: readonly string[];
  /** The planned actions, if it got as far as a plan. */
  readonly planned: readonly PlannedAction[];
  /** Lines that its plan printed for programs before the work began: each change, and each record that is deleted with an account. */
  readonly listed: readonly Listed[];
  /** Texts that it keeps, tokens included, if that is more than its state. */
  readonly kept?: readonly string[];
  /** The plan as a file, where it was saved. */
  readonly file?: string;
  /** Lines of the saved plan that may need approval. */
  readonly neededPairs?: readonly NeededPair[];
}

export interface Failure {
  readonly address: string;
  readonly operation: "create" | "update" | "delete";
  /** Codes of the errors that tell why. */
  readonly codes: readonly string[];
}

export interface PlannedAction {
  readonly type: "tenancy_account" | "tenancy_user_profile" | "tenancy_authorization";
  readonly address: string;
  readonly action: string;
  /** Natural key. */
  readonly key: string;
  /** Everything that a reviewer sees of it. */
  readonly shown: string;
}

export interface Listed extends Pick<PlannedAction, "type" | "action" | "key"> {
  /** Changes attribute by attribute, if the plan tells programs of them. */
  readonly shown?: string;
}

/** Everything that is known of one run. */
export interface Witness {
  readonly engine: "embedded" | "terraform";
  readonly verb: RunVerb;
  readonly declaration: Declaration;
  readonly flags: Flags;
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly exchanges: readonly Exchange[];
  readonly outcome: Outcome;
  readonly state: {
    readonly before: KeptState | undefined;
    readonly after: KeptState | undefined;
    /** True if a lock was taken during the run, and is held still. */
    readonly isLocked: boolean;
    /** True if another run of ours went on meanwhile: one that waits for the state plans with what the other one has put there. */
    readonly isShared?: boolean;
  };
  /** Who stopped reading what it printed. */
  readonly reader?: Reader | undefined;
  /** Approval that the run demanded. */
  readonly approval?: DemandedApproval | undefined;
  /** Uuids that the configuration declares. */
  readonly uuids: DeclaredUuids;
  readonly hasSibling: boolean;
  /** Number of provider configurations besides the first one. */
  readonly aliases: number;
  /** Login that the run works with, and its own token where it uses one. */
  readonly self: { readonly login: string; readonly tokenId: string | undefined };
  readonly reviewed?: Reviewed | undefined;
  readonly chronicle: Chronicle;
  readonly service: ServiceTraits;
  /** Who made the records that no run made, by serial number. */
  readonly makers: ReadonlyMap<string, Maker>;
  /** Serial numbers of accounts whose contact others may have changed. */
  readonly altered: ReadonlySet<string>;
}

/** Of `apply FILE`: what the file planned, and whether a plan made anew would be another one, of records or of tokens. */
export interface Reviewed {
  readonly planned: readonly PlannedAction[];
  readonly listed: readonly Listed[];
  /** The live records when the planning began. */
  readonly before: Snapshot;
  /** Texts that the reviewer read. */
  readonly printed: readonly string[];
  readonly moved: boolean;
  readonly tokensMoved: boolean;
}

export interface Invariant {
  /** A sentence. */
  readonly title: string;
  /** Findings that contradict it. */
  violations(witness: Witness): readonly string[];
}

/** True if one of Terraform's lines of JSON has these words for an object with this key. */
export function isWarned(words: string, key: string, printed: readonly string[]): boolean {
  const lines = printed.flatMap((text) => text.split("\n"));
  return lines.some((line) => line.includes(words) && line.includes(`\\"${key}\\"`));
}
