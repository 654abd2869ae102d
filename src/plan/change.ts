/** What a plan says of one object, as plain data. */
import type { JsonType } from "../expressions";
import type { Claim } from "../ownership";
import type { AttributeChange, Description } from "../schema";
import type { ObjectValue, Path } from "../values";

export type Action = "create" | "update" | "replace" | "delete" | "none";

/** A live record as the plan read it: what must still be true when it is written to. */
export interface Sighting {
  readonly id: string;
  readonly uuid: string | undefined;
  readonly accountId: string | undefined;
  readonly seq: number | bigint | undefined;
  /** Natural key under which it was found. */
  readonly key: string;
  /** When it was read, by `readingClock`. */
  readonly readAt: number;
}

/** One object of the plan. `retained` and `adopted` are annotations, not actions. */
export interface Change {
  readonly action: Action;
  /** Address in the configuration; what is no longer declared stands under `<type>.undeclared["<key>"]`. */
  readonly address: string;
  readonly description: Description;
  readonly constructPath: string | undefined;
  /** Name of the provider configuration: `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  /** Natural key: `acme`, `jane@acme`, `csi@acme/csi-prod`. Unknown parts read `(known after apply)`. */
  readonly key: string;
  /** The key as it may be shown: without names that come from something sensitive. */
  readonly title: string;
  readonly claim: Claim | undefined;
  /** State before and after; after may hold unknowns. Null where the object does not exist. Secrets included: never print these. */
  readonly before: ObjectValue | null;
  readonly after: ObjectValue | null;
  /** The attributes that change, by path; empty for `none` and `delete`. */
  readonly attributes: readonly AttributeChange[];
  /** Attributes that force a replacement. */
  readonly replacedBy: readonly Path[];
  /** Paths of what must not be shown, besides what the description calls sensitive. */
  readonly sensitive: readonly Path[];
  /** Id named by an import block, where this plan takes the object in. */
  readonly importId: string | undefined;
  /** Why a delete is planned. */
  readonly reason: DeleteReason | undefined;
  /** What the plan does without sending anything, in a few words: "password version 1 recorded, not sent". */
  readonly notes: readonly string[];
  /** The live record that the plan was made for. */
  readonly sighting: Sighting | undefined;
}

export type DeleteReason = "undeclared" | "removed" | "destroy" | "cascade";

/** A live object of ours that is not declared, and stays. */
export interface Retained {
  readonly type: string;
  readonly key: string;
  readonly id: string;
  /** Why it stays and what would delete it. */
  readonly reason: string;
}

export interface OutputChange {
  readonly name: string;
  readonly action: Action;
  /** May hold unknowns. */
  readonly after: unknown;
  /** As Terraform writes it in JSON: `"string"`, `["list", "string"]`; of what is unknown in it, `"dynamic"`. */
  readonly type: JsonType;
  readonly sensitive: boolean;
  readonly description: string | undefined;
}

/** A right that somebody gains or loses. */
export interface AccessChange {
  /** Login, or token `csi@acme/csi-prod`. */
  readonly who: string;
  readonly address: string;
  readonly action: Action;
  /** Rights and kinds of access, as the API spells them: `vss.manage_targets`, `access.api`. */
  readonly gains: readonly string[];
  readonly loses: readonly string[];
  /** Those of the gained rights whose holder can destroy data, or reach over the whole service. */
  readonly destructive: readonly string[];
  /** Whether what it will be depends on values known after apply. */
  readonly partlyUnknown: boolean;
}
