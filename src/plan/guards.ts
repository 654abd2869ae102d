/** Judges a plan by the guards, each of which can stop it. */
import {
  notVerified,
  accountDeletionRefused,
  accountNotEmpty,
  type Finding,
  incompleteLists,
  massDeletion,
  whereaboutsOf,
  preventDestroy,
  retiresEarly,
  selfChange,
  tooManyDeletes,
} from "../problems";
import {
  type Container,
  endedEarly,
  selfChangeOf,
  type Intention,
  isOwn,
  resources,
  type Self,
} from "../resources";
import { type Attributes, locatedIn } from "../schema";
import type { Snapshot } from "../service";
import { groupedBy, onceForEach, type Shape, shapes } from "../lib/values";
import { isToken } from "./access";
import type { Change } from "./plan";

/** Permissions of the user for one run; guards refuse without them (design: Guards). */
export interface Permits {
  /** Names of accounts that may be deleted; `true` for all. @default false */
  readonly allowAccountDeletion?: boolean | readonly string[];
  /** Accounts that hold storage, or users of others, may be deleted. @default false */
  readonly allowNonempty?: boolean;
  /** The run's own credential may be deleted, disabled or weakened. @default false */
  readonly allowSelfChange?: boolean;
  /** A rotation may revoke a token that an earlier one has replaced, before its `retain_previous_for` is over. @default false */
  readonly retireEarly?: boolean;
  /** Number of records that may be deleted. @default see docs/manual/explanation/design-guards-and-tokens.md, "Limit" */
  readonly maxDeletes?: number;
}

const { either, flag, integer, listOf, text, where } = shapes;

/** The permissions in a saved plan. A saved plan is planned again with the same permissions. */
export const PERMIT_SHAPES: Readonly<Record<keyof Permits, Shape<unknown>>> = {
  allowAccountDeletion: either(flag, listOf(text), "true, false or names"),
  allowNonempty: flag,
  allowSelfChange: flag,
  retireEarly: flag,
  maxDeletes: where(integer, "a count", (value) => Number.isSafeInteger(value) && value >= 0),
};

/** A provider configuration, as the guards see its service. */
export interface GuardedService {
  readonly provider: string;
  readonly origin: string;
  readonly snapshot: Snapshot;
  /** Why its lists may be incomplete; undefined if they are complete. */
  readonly incomplete: string | undefined;
  /** Key of the stored token by whose user that was found, if it was. */
  readonly tokenOfUnlisted?: string | undefined;
  /**
   * Counts our records: accounts with their primary profile, profiles, and tokens of the state. It costs a hash for each record, so guards
   * ask only where the number matters.
   */
  readonly countOwned: () => number;
  /** Serial of the token that the run itself uses, if the state keeps it for this stack. */
  readonly ownToken: string | undefined;
}

/** The contents of an account, for which it may not be deleted although its deletion is allowed. */
export interface AccountContents {
  readonly provider: string;
  readonly accountId: string;
  readonly findings: readonly string[];
  /** True if a snapshot does not show its storage. The apply then checks it. @default false */
  readonly isUsageUnknown?: boolean;
  /** Its other users, who have no change in the plan and are deleted with it, by login. */
  readonly others: readonly string[];
  /** The deletes of these logins. */
  readonly deletedWithAccount?: readonly Change[];
}

/** The changes of a plan, with the facts that they were made from and the permissions of the user. */
export interface GuardedPlan {
  readonly changes: readonly Change[];
  readonly services: readonly GuardedService[];
  readonly permits: Permits;
  readonly destroy: boolean;
  /** Time by which replaced tokens are judged. */
  readonly asOf: Date;
  /** True if the stack declares no managed object at all. */
  readonly declaresNothing: boolean;
  /** Accounts that are to be deleted and are not empty. */
  readonly contents: readonly AccountContents[];
  /** Addresses under `lifecycle { prevent_destroy = true }`. */
  readonly preventDestroy: ReadonlySet<string>;
}

function serviceOf({ services }: GuardedPlan, change: Change): GuardedService | undefined {
  return services.find(({ provider }) => provider === change.provider);
}

/** A rule that sees the whole plan and may stop it. It returns a refusal for each thing that it finds, or nothing. */
type Guard = (plan: GuardedPlan) => readonly Finding[];

/** The change's family as a container of other objects; undefined if its objects hold none. */
function containerOf({ description }: Change): Container | undefined {
  return resources.get(description.type)?.container;
}

// The limit of deletes: 5 records of a service in one run, or a quarter of our records there up to 25; more needs `--max-deletes`.

const MIN_ALLOWED_DELETES = 5;
const ALLOWED_SHARE = 0.25;
const MAX_ALLOWED_DELETES = 25;

const limit: Guard = (plan) => {
  const { permits, destroy } = plan;
  const total = countDeleted(plan);
  if (permits.maxDeletes !== undefined) {
    return total <= permits.maxDeletes
      ? []
      : [tooManyDeletes.at({ count: total, limit: permits.maxDeletes, total, names: namesOfDeleted(plan) })];
  }
  if (destroy) return [];
  return deletesByService(plan).flatMap(({ origin, deleted, names, owned }) => {
    // Our records are counted only if their number matters.
    if (deleted <= MIN_ALLOWED_DELETES) return [];
    const allowedCount = Math.max(
      MIN_ALLOWED_DELETES,
      Math.min(MAX_ALLOWED_DELETES, Math.floor(owned() * ALLOWED_SHARE)),
    );
    return deleted <= allowedCount
      ? []
      : [tooManyDeletes.at({ count: deleted, limit: allowedCount, total, origin, names })];
  });
};

/** Accounts are deleted only when that was allowed: deleting one destroys a tenant's storage. */
const accountDeletion: Guard = (plan) =>
  plan.changes.flatMap((change) => {
    if (containerOf(change) === undefined || !endsRecord(change)) return [];
    return allowsDeletion(change, plan)
      ? []
      : [accountDeletionRefused.at(change.title, whereaboutsOf(change))];
  });

/** Allowed by `deletion_protection = false` while declared, by `Deletion`, or by the run's flag. */
function allowsDeletion(change: Change, plan: GuardedPlan): boolean {
  if (change.reason === "removed") return true;
  if (change.before?.["deletion_protection"] === false && change.reason !== "undeclared") return true;
  return permitsAccount(plan.permits, change.key);
}

/** True if `--allow-account-deletion` covers the account. */
export function permitsAccount({ allowAccountDeletion: permitted = false }: Permits, name: string): boolean {
  return typeof permitted === "boolean" ? permitted : permitted.includes(name);
}

// The records that a plan ends, and how many we own.

/** True if the change ends a record, as a delete or a replacement does. */
function endsRecord({ action }: Pick<Change, "action">): boolean {
  return action === "delete" || action === "replace";
}

/** The changes that end a record, cascaded ones and tokens included. */
function deletions(changes: readonly Change[]): readonly Change[] {
  return changes.filter(endsRecord);
}

/** Counts all deleted records: an account takes along its primary profile, and the users in it that no change is about. */
function countDeleted({ changes, contents }: Pick<GuardedPlan, "changes" | "contents">): number {
  return contents.reduce((sum, { others }) => sum + others.length, countDeletedRecords(changes));
}

/** Counts the records that changes delete or replace: an account counts with its primary user profile. */
export function countDeletedRecords(changes: readonly Change[]): number {
  return deletions(changes).reduce((sum, change) => sum + (containerOf(change)?.records ?? 1), 0);
}

function namesOfDeleted({ changes, contents }: Pick<GuardedPlan, "changes" | "contents">): readonly string[] {
  const names = deletions(changes).map((change) =>
    (containerOf(change)?.records ?? 1) === 1 ? change.title : `${change.title} (with its primary user)`,
  );
  return [...names, ...contents.flatMap(({ others }) => others)];
}

/** By service: provider aliases of one service count as one. */
function deletesByService({ changes, contents, services }: GuardedPlan): readonly {
  /** Names the service if the plan has several; undefined if it is the only one. */
  readonly origin: string | undefined;
  readonly deleted: number;
  readonly names: readonly string[];
  /** Counts the live records that this stack manages. */
  readonly owned: () => number;
}[] {
  const byOrigin = groupedBy(services, ({ origin }) => origin);
  return [...byOrigin.values()].map((aliases) => {
    const providers = new Set(aliases.map(({ provider }) => provider));
    const isHere = ({ provider }: { readonly provider: string }) => providers.has(provider);
    const here = { changes: changes.filter(isHere), contents: contents.filter(isHere) };
    return {
      origin: byOrigin.size === 1 ? undefined : aliases[0].origin,
      deleted: countDeleted(here),
      names: namesOfDeleted(here),
      owned: () => aliases.reduce((sum, { countOwned }) => sum + countOwned(), 0),
    };
  });
}

/** A replaced token stays valid for the declared time, also after further rotations. */
const earlyRetirement: Guard = ({ changes, permits, asOf }) => {
  if (permits.retireEarly === true) return [];
  return changes.flatMap((change) => {
    if (change.action !== "update" || !isToken(change)) return [];
    const ends = endedEarly(change.before, change.after, asOf);
    return ends.length === 0 ? [] : [retiresEarly.at({ key: change.title, ends }, whereaboutsOf(change))];
  });
};

/** A stack that declares nothing, or would delete over half of its managed objects at a service, is probably a mistake. */
const massDeletions: Guard = (plan) => {
  const { permits, destroy, declaresNothing } = plan;
  if (destroy || permits.maxDeletes !== undefined) return [];
  const total = countDeleted(plan);
  if (total === 0) return [];
  if (declaresNothing)
    return [
      massDeletion.at({
        why: "the stack declares nothing",
        count: total,
        total,
        names: namesOfDeleted(plan),
      }),
    ];
  return deletesByService(plan).flatMap(({ origin, deleted, names, owned }) => {
    const all = deleted === 0 ? 0 : owned();
    if (deleted * 2 <= all) return [];
    const where = origin === undefined ? "" : ` at ${origin}`;
    const why =
      all > 1
        ? `that is over half of the ${all} records that this stack manages${where}`
        : `${all === 0 ? "no" : "only 1"} record${where} is managed by this stack`;
    return [massDeletion.at({ why, count: deleted, total, names })];
  });
};

/** An account that holds storage, or users that are not managed, is not deleted without permission. */
const nonempty: Guard = ({ changes, contents, permits }) => {
  if (permits.allowNonempty === true) return [];
  return contents.flatMap(({ provider, accountId, findings }) => {
    // Two services may give the same id.
    const change = deletions(changes).find(
      (one) => one.provider === provider && one.observedRecord?.id === accountId,
    );
    if (change === undefined || findings.length === 0 || change.before?.["allow_nonempty_delete"] === true)
      return [];
    return [accountNotEmpty.at({ name: change.title, findings }, whereaboutsOf(change))];
  });
};

/** An object with `prevent_destroy` is neither deleted nor replaced. */
const prevented: Guard = ({ changes, preventDestroy: protectedAddresses }) =>
  deletions(changes)
    .filter(({ address }) => protectedAddresses.has(address))
    .map((change) => preventDestroy.at(change.title, whereaboutsOf(change)));

/** A run does not delete or weaken its own users, accounts and tokens, through any provider alias. */
const selfChanges: Guard = (plan) => {
  if (plan.permits.allowSelfChange === true) return [];
  return plan.changes.flatMap((change) => {
    // These changes do no harm. Their states are made only on demand, so they are not read here.
    if (change.action === "none" || change.action === "create") return [];
    const { description, action, observedRecord, before, after, attributes: changes } = change;
    const [kind, id] = [description.name, observedRecord?.id];
    const intention: Intention = { kind, action, id, before, after, changes, asOf: plan.asOf };
    const effect = selfChangeOf(intention);
    if (effect === undefined) return [];
    const origin = serviceOf(plan, change)?.origin;
    const working = plan.services.filter((one) => one.origin === origin && isOwn(intention, selfOf(one)));
    if (working.length === 0) return [];
    const names = working.map(({ provider }) => provider);
    const { what, attribute } = effect;
    const where = { ...whereaboutsOf(change), ...(attribute !== undefined && { attribute }) };
    // A provider is named only where the change goes through another one.
    const providers = names.includes(change.provider) ? [] : names;
    return [selfChange.at({ key: change.title, harm: what, providers }, where)];
  });
};

function selfOf({ snapshot, ownToken }: GuardedService): Self {
  return {
    snapshot,
    worksWith: ({ serial }) => ownToken !== undefined && serial === ownToken,
    mayBeAnyone: true,
  };
}

/** An object that is not listed is absent only to a caller who would see it; where its rights cannot be known, creates go ahead. */
const unprovenAbsence: Guard = (plan) =>
  plan.changes.flatMap((change) => {
    const service = change.action === "create" ? serviceOf(plan, change) : undefined;
    // Lists that are not whole have a guard of their own.
    if (service === undefined || service.incomplete !== undefined) return [];
    const why = unlistedReference(change, service.snapshot) ?? whyUnproven(change, service.snapshot);
    if (why === undefined) return [];
    const noun = change.description.noun;
    return [
      notVerified.at(
        `${noun} "${change.title}" is not listed, and that proves nothing: ${why}`,
        whereaboutsOf(change),
      ),
    ];
  });

/** Contents of an object that the caller does not see may exist unseen. */
function unlistedReference({ description, after }: Change, snapshot: Snapshot): string | undefined {
  for (const { name, family } of referencesOf(description.attributes)) {
    const id = after?.[name];
    if (typeof id !== "string") continue;
    const inventory = resources.get(`tenancy_${family}`)?.inventory;
    if (inventory !== undefined && inventory.listed(id, snapshot) === undefined)
      return `its ${family.replaceAll("_", " ")} ${id} is not listed`;
  }
  return undefined;
}

/** The attributes that hold the id of another record, each with the family of that. */
const referencesOf = onceForEach((attributes: Attributes) =>
  locatedIn(attributes).flatMap(({ name, attribute: { refersTo } }) =>
    refersTo === undefined ? [] : [{ name, family: refersTo }],
  ),
);

function whyUnproven({ description }: Change, snapshot: Snapshot): string | undefined {
  const unproven = resources.get(description.type)?.inventory?.unprovenAbsence(undefined, snapshot);
  return unproven?.blocksCreate === true ? unproven.reason : undefined;
}

/** An account is not deleted while the service refuses the list of a family that lives in accounts: the account may contain hidden records. */
const seenContents: Guard = ({ changes, services }) =>
  services.flatMap(({ provider, origin, snapshot }) => {
    const containers = changes.filter(
      (change) => change.provider === provider && containerOf(change) !== undefined && endsRecord(change),
    );
    if (containers.length === 0) return [];
    return [...snapshot.refused.values()].map(({ message }) =>
      incompleteLists.at({ origin, missing: message, changes: containers.length }),
    );
  });

/** No create and no delete follows from lists that may be incomplete: a missing record may well exist. */
const wholeLists: Guard = ({ changes, services }) =>
  services.flatMap(({ provider, origin, incomplete, tokenOfUnlisted: token }) => {
    if (incomplete === undefined) return [];
    const atStake = changes.filter(
      (change) => change.provider === provider && (change.action === "create" || endsRecord(change)),
    );
    return atStake.length === 0
      ? []
      : [incompleteLists.at({ origin, missing: incomplete, changes: atStake.length, token })];
  });

// All guards, judged before the first write (design: Guards). One refusal stops the run.

const GUARDS: readonly Guard[] = [
  wholeLists,
  seenContents,
  unprovenAbsence,
  prevented,
  accountDeletion,
  nonempty,
  massDeletions,
  limit,
  earlyRetirement,
  selfChanges,
];

/** The refusals of all guards; none if the plan may go on. */
export function judge(plan: GuardedPlan): readonly Finding[] {
  return GUARDS.flatMap((guard) => guard(plan));
}
