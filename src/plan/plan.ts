/** Defines the plan of one stack: immutable data, which is made and shown before the first write. */
import type { Claim, RecordIdentity } from "../ownership";
import { type Diagnostic, stateClosed } from "../problems";
import type { AttributeChange, Description } from "../schema";
import { frozen, type JsonType, type ObjectValue, type Path, type Value } from "../lib/values";

/** The planned action on one object. That an object is retained or imported is an annotation, not an action. */
export type Action = "create" | "update" | "replace" | "delete" | "none";

/** A live record as the plan read it: these facts must still be true when it is written to. */
export interface ObservedRecord extends RecordIdentity {
  readonly id: string;
  readonly accountId: string | undefined;
  readonly seq: number | bigint | undefined;
  /** Natural key under which it was found. */
  readonly key: string;
  /** When it was read, by `readingClock`. */
  readonly readAt: number;
}

/** The planned change of one object, as plain data. */
export interface Change {
  readonly action: Action;
  /** Address in the configuration; an object that is no longer declared has `<type>.undeclared["<key>"]`. */
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
  /** Paths of hidden values, in addition to the description's sensitive attributes. */
  readonly sensitive: readonly Path[];
  /** Id that an import block names, if this plan imports the object. */
  readonly importId: string | undefined;
  /** Why a delete is planned. */
  readonly reason: DeleteReason | undefined;
  /** Facts that the attributes do not show, in a few words: "password_wo_version recorded, the value is not sent". */
  readonly notes: readonly string[];
  /** The live record that the plan was made for. */
  readonly observedRecord: ObservedRecord | undefined;
  /** Attributes that the configuration gives a value, and members of groups, as `primary_contact.company`. @default all */
  readonly declared?: ReadonlySet<string> | undefined;
  /** All rights that the live record grants: where undeclared ones are kept, the state does not hold them. @default those of `before` */
  readonly granted?: readonly string[] | undefined;
  /** Access that the last apply left as declared without an end: rights, `access.web`, `access.api`. A new end only removes access. @default none is known */
  readonly endless?: ReadonlySet<string> | undefined;
}

/** A copy of a change with some other members. Each member is named, because a spread would omit the members that a class computes on demand. */
export function changeWith<C extends Change>(change: C, different: Partial<Change>): C {
  const { action, address, description, constructPath, provider, key, title, claim, before, after } = change;
  const { attributes, replacedBy, sensitive, importId, reason, notes, observedRecord } = change;
  return {
    ...{ action, address, description, constructPath, provider, key, title, claim, before, after },
    ...{ attributes, replacedBy, sensitive, importId, reason, notes, observedRecord },
    ...{ declared: change.declared, granted: change.granted, endless: change.endless },
    ...different,
  } as Change as C;
}

export type DeleteReason = "undeclared" | "removed" | "destroy" | "cascade";

/** A live managed object that is not declared, and stays. */
export interface Retained {
  readonly type: string;
  readonly key: string;
  readonly id: string;
  /** The reason, and the way to delete it. */
  readonly reason: string;
  /** Origin of the service. @default the plan is made by hand */
  readonly origin?: string;
  /** Number of its users that still work: those in the account, or the user itself. @default not counted: it is no account and no user */
  readonly users?: number;
  /** Number of tokens of those users in the state. @default not counted */
  readonly tokens?: number;
}

/** An unmanaged, undeclared live user in a managed account. A run never changes such a user. */
export interface UnmanagedUser {
  readonly type: string;
  /** Login. */
  readonly key: string;
  readonly id: string;
  readonly origin: string;
  /** Absent where the service does not show them. */
  readonly rights?: readonly string[];
  /** The nearest preset and the difference: `operator + vss.format_disks`. Null if no preset is near. */
  readonly preset: string | null;
  readonly marks: readonly AccessMark[];
  /** False where the user, or the account, is suspended. */
  readonly active: boolean;
}

/** An account that is no longer declared and one that comes, which look like one that was renamed. */
export interface Rename {
  readonly from: string;
  readonly id: string;
  readonly to: string;
  /** Address of the account that comes. */
  readonly address: string;
}

/**
 * The kind of a difference.
 * - `changed`, `deleted`, `created`, `renamed`: outside Tenancy, since the last apply;
 * - `replaced`: another record is in its place;
 * - `unmanaged`: a user whom no stack of the project declares, in an account that one of them declares;
 * - `privilege`: an undeclared privilege that changed outside Tenancy or is not verified;
 * - `unclassified`: live and declared differ, and the result of the last apply is unknown;
 * - `ended`: the last day of access has passed, and no apply has removed the access yet;
 * - `due`: a token has reached the age of its `rotate_after`, and no apply has rotated it yet;
 * - `declared`: the declaration has changed, and is not applied yet.
 */
export type DriftKind =
  | "changed"
  | "deleted"
  | "created"
  | "renamed"
  | "replaced"
  | "unmanaged"
  | "privilege"
  | "unclassified"
  | "ended"
  | "due"
  | "declared";

export const DRIFT_KINDS: readonly DriftKind[] = [
  "changed",
  "deleted",
  "created",
  "renamed",
  "replaced",
  "unmanaged",
  "privilege",
  "unclassified",
  "ended",
  "due",
  "declared",
];

/** One difference between live, declared and last applied. Values may be secrets: `sensitive` and the description say which. */
export interface Drift {
  readonly kind: DriftKind;
  readonly description: Description;
  /** An object that is not declared has `<type>.undeclared["<key>"]`. */
  readonly address: string;
  readonly constructPath: string | undefined;
  readonly provider: string;
  /** Natural key, as it may be shown. */
  readonly title: string;
  /** Id of the live record. */
  readonly id: string | undefined;
  /** The attribute; empty for the object as a whole. */
  readonly path: Path;
  /** The value before: the one that the last apply left, or, if the value is only declared, the live one. Undefined where it is not known. */
  readonly from: Value | undefined;
  /** The value now, or, if it is only declared, the one that apply would write. */
  readonly to: Value | undefined;
  /** True if an apply of the declaration would take the change back. */
  readonly undone: boolean;
  /** A short remark. */
  readonly remark: string | undefined;
  readonly sensitive: readonly Path[];
  /** The live object; null if it does not exist. */
  readonly live: ObjectValue | null;
}

export interface OutputChange {
  readonly name: string;
  readonly action: Action;
  /** May hold unknowns. */
  readonly after: unknown;
  /** As Terraform writes it in JSON: `"string"`, `["list", "string"]`; a part that is unknown is `"dynamic"`. */
  readonly type: JsonType;
  readonly sensitive: boolean;
  readonly description: string | undefined;
}

/**
 * The effect on a user's access. `changes`: neither more nor less, such as another password. `stays`: an undeclared value that does not
 * change. `unknown`: known only after apply.
 */
export type AccessEffect = "grants" | "removes" | "changes" | "stays" | "unknown";

/** A destructive right destroys data; a privileged one lets its holder take over others. The effect of an unknown right is not known. */
export type AccessMark = "destructive" | "privileged" | "unknown right";

/**
 * A pair, as a file has it: `{ user: "jane@acme", permission: "vss.format_disks", until: "2026-12-04" }`. Several permissions of one user until the
 * same day may be one pair. A pair without `until` is a removal, which needs approval only at the level `access`.
 */
export type Pair = Readonly<Record<string, string | readonly string[]>>;

/** One difference in a user's access. */
export interface AccessEntry {
  /** The thing that the user has or has not, as a pair of an approval names it: `{ permission: "vss.format_disks", until: "never" }`. */
  readonly thing: Pair;
  readonly effect: AccessEffect;
  readonly marks: readonly AccessMark[];
  /** True if the service gives it because nothing was declared. */
  readonly byDefault: boolean;
  /** The value before; of access that stays, the end before. Absent if there was none. */
  readonly from?: string;
  /** Last day of access that is lost because its end has passed. */
  readonly ended?: string;
  /** More about it, in a few words, such as the end of a replaced token. */
  readonly note?: string;
}

/** The change of access of one user or one token. */
export interface AccessChange {
  /** Login, or token `csi@acme/csi-prod`. */
  readonly who: string;
  readonly address: string;
  readonly action: Action;
  /** The effect of all entries together: `grants` if one of them grants. */
  readonly effect: AccessEffect;
  readonly entries: readonly AccessEntry[];
  /** The rights as the nearest preset and the difference: `operator + vss.format_disks`. Null if no preset is near. */
  readonly rights: string | null;
}

/** One service that the plan is for, as one provider configuration sees it. */
export interface Target {
  /** `tenancy` or `tenancy.alias`. */
  readonly provider: string;
  /** Origin of the service, `https://storage.example`. */
  readonly origin: string;
  /** Login, or account, that the run acts as. */
  readonly caller: string;
}

/** Usage of an account, by the attribute that limits it. */
export type Usage = Readonly<Record<string, number | bigint>>;

export interface Plan {
  readonly stack: string;
  readonly targets: readonly Target[];
  /** When the snapshot was taken that it was made from, ISO 8601; such a plan cannot be applied. @default the services were asked */
  readonly takenAt?: string;
  /** Usage of accounts, by address and the attribute that limits it. @default not counted */
  readonly usage?: Readonly<Record<string, Usage>>;
  /** True for the plan of `destroy`. */
  readonly destroy: boolean;
  /** True if only a part of the stack is planned: `--only`, `--exclude`. */
  readonly partial: boolean;
  /** True if it only removes ended access: `--ended`. @default false */
  readonly onlyEnded?: boolean;
  /** Number of errors of a run with `--ended` that may leave ended access in place. The apply reports them, and fails. @default 0 */
  readonly unended?: number;
  /** True if undeclared objects are not deleted: `--no-prune`. */
  readonly noPrune: boolean;
  /** Every declared object and every delete, in the order in which they will be applied; `none` included. */
  readonly changes: readonly Change[];
  readonly retained: readonly Retained[];
  /** Users of others in our accounts. */
  readonly unmanagedUsers: readonly UnmanagedUser[];
  readonly renames: readonly Rename[];
  /** Objects that the service deletes with an account, and that are neither managed nor declared. They are shown; no request is sent for them. */
  readonly deletedWithAccount: readonly Change[];
  /** Released objects whose access had an end, and has none from now on. No request is sent for them. @default none */
  readonly released?: readonly Change[];
  readonly access: readonly AccessChange[];
  readonly outputs: readonly OutputChange[];
  /** Objects that were evaluated but are no resources of the service: `null_resource`, `terraform_data`, data sources. */
  readonly evaluated: readonly EvaluatedObject[];
  /** Errors make the plan unfit to be applied: the facade throws them; these are the warnings. */
  readonly warnings: readonly Diagnostic[];
  /** Changes and deletions made outside since the last apply, as far as the state remembers that apply. Computed on demand. @default not known */
  readonly drift?: () => readonly Drift[];
  /**
   * Facts that the caller cannot prove, as errors: for them the apply of this plan is refused. A caller who only reads plans all the same; the apply
   * has a caller of its own. They are among the warnings. @default nothing
   */
  readonly notVerified?: readonly Diagnostic[];
  /** Errors of single declared objects. These objects and their dependents stay as they are; the rest of the plan can be applied. @default none */
  readonly refused?: readonly Diagnostic[];
  /** ISO 8601. */
  readonly plannedAt: string;
  readonly summary: Summary;
}

export interface EvaluatedObject {
  readonly address: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  /** May hold unknowns. Secrets included: never print these. */
  readonly values: unknown;
  /** Paths of hidden values. */
  readonly sensitive: readonly Path[];
  readonly constructPath: string | undefined;
}

export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  /** The deleted objects, and the users who are deleted with an account. */
  readonly delete: number;
  readonly none: number;
  readonly retained: number;
  readonly imported: number;
}

/** True if the plan imports an object that nothing shows to be managed yet: the import block of a recorded object may stay in the code. */
export function isNewImport<C extends Pick<Change, "importId" | "claim">>(
  change: C,
): change is C & { readonly importId: string } {
  return change.importId !== undefined && change.claim !== "managed";
}

export function summaryOf(plan: Pick<Plan, "changes" | "deletedWithAccount" | "retained">): Summary {
  const counts = {
    create: 0,
    update: 0,
    replace: 0,
    delete: plan.deletedWithAccount.length,
    none: 0,
    imported: 0,
  };
  for (const change of plan.changes) {
    counts[change.action]++;
    if (isNewImport(change)) counts.imported++;
  }
  return { ...counts, retained: plan.retained.length };
}

/** True if it was made without the state, so that imports, tokens and hidden values are not known. */
export function isMadeWithoutState(warnings: readonly Pick<Diagnostic, "code">[]): boolean {
  return warnings.some(({ code }) => code === stateClosed.code);
}

/** True if an apply of the plan would change any object. */
export function hasChanges(plan: Plan): boolean {
  const { create, update, replace, delete: deletes } = plan.summary;
  return create + update + replace + deletes > 0;
}

/**
 * Freezes a plan against changes between its review and its apply. The changes of single attributes and the rows of access are not frozen:
 * approval and writes do not use them, and freezing them would be most of the work.
 * @returns the very plan
 */
export function frozenPlan(plan: Plan): Plan {
  for (const change of plan.changes) {
    // Changes of unchanged objects freeze their state when it is made.
    if (Object.isFrozen(change)) continue;
    frozen(change.before);
    frozen(change.after);
    Object.freeze(change);
  }
  Object.freeze(plan.changes);
  Object.freeze(plan.access);
  return frozen(plan);
}
