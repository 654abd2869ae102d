/** The pairs of a plan that may need approval. No I/O. */
import { endsIn, isRotatedByAge } from "../resources";
import {
  escapeUnseen,
  isKnownText,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  UNKNOWN_TEXT,
} from "../lib/values";
import { accessEntries, isBroadening, isToken } from "./access";
import { isEndOfItself } from "./access-ends";
import { accessText, isEnd, writtenValue } from "./access-entry";
import type { ApprovalNeeds, NeededPair } from "./approval";
import { dividedPairs, joinedPairs, marksOfPair, pairMembers, NEVER } from "./approval-pairs";
import { type AccessEntry, type Change, changeWith, isNewImport, type Pair, type Plan } from "./plan";
import { type ChangedPrivilege, isMorePrivilege } from "./privileges";
import {
  hasRights,
  inOrderOfRights,
  leavesRightsOpen,
  rightsAfter,
  rightsBefore,
  rightsNotIn,
} from "./rights";

/** A need of one change: a pair, or a text about a value that only the apply will know. */
type ChangeNeed = NeededPair | string;

/** All pairs of a plan that may need approval, by service. */
export function approvalNeeds(
  plan: Pick<Plan, "stack" | "targets" | "changes" | "released" | "plannedAt">,
): readonly ApprovalNeeds[] {
  const asOf = new Date(plan.plannedAt);
  const changes = [...plan.changes, ...(plan.released ?? [])];
  return byService(
    plan,
    changes.map((change) => [change.provider, changeNeeds(change, asOf)] as const),
  );
}

/** The pairs of accepted undeclared privileges, which a user keeps or has lost. */
export function acceptanceNeeds(
  plan: Pick<Plan, "stack" | "targets">,
  accepted: readonly { readonly change: Change; readonly privileges: readonly ChangedPrivilege[] }[],
): readonly ApprovalNeeds[] {
  return byService(
    plan,
    accepted.map(
      ({ change, privileges }) =>
        [
          change.provider,
          privileges.flatMap((privilege) =>
            privilegePairs(privilege).map((pair) =>
              need(change, pair, pair["until"] !== undefined && isMorePrivilege(privilege)),
            ),
          ),
        ] as const,
    ),
  );
}

/** A scope has a pair for each id that it gained or lost. */
function privilegePairs({ path: [attribute = "", right], from, to }: ChangedPrivilege): readonly Pair[] {
  const flagged = (pair: Pair) => (to === true ? { ...pair, until: NEVER } : pair);
  if (right !== undefined) return [flagged({ permission: String(right) })];
  if (isList(to)) {
    const [idsBefore, ids] = [
      isList(from ?? null) ? (from as readonly string[]) : [],
      to as readonly string[],
    ];
    return [
      ...ids.filter((id) => !idsBefore.includes(id)).map((id) => ({ [attribute]: id, until: NEVER })),
      ...idsBefore.filter((id) => !ids.includes(id)).map((id) => ({ [attribute]: id })),
    ];
  }
  const name = String(attribute);
  if (name.startsWith("access_")) return [flagged({ access: name.slice("access_".length) })];
  return [{ [name === FACTOR ? "two_factor" : name]: writtenValue(to), until: NEVER }];
}

/** @param needLists needs by the provider configuration that they are of */
function byService(
  { stack, targets }: Pick<Plan, "stack" | "targets">,
  needLists: readonly (readonly [provider: string, needs: readonly ChangeNeed[]])[],
): readonly ApprovalNeeds[] {
  const services = new Map<string, ChangeNeed[]>();
  for (const [provider, needs] of needLists) {
    if (needs.length === 0) continue;
    const { origin = "" } = targets.find((one) => one.provider === provider) ?? targets[0] ?? {};
    const known = services.get(origin) ?? [];
    services.set(origin, known);
    known.push(...needs);
  }
  return [...services].map(([service, needs]) => {
    const pairs = needs.filter((one) => typeof one !== "string");
    const joined = (broadening: boolean) =>
      joinedPairs(pairs.flatMap((one) => (one.broadening === broadening ? [one.pair] : []))).map(
        (pair): NeededPair => ({ pair, broadening }),
      );
    return {
      ...{ stack, service, pairs: [...joined(true), ...joined(false)] },
      unknown: [...new Set(needs.filter((one) => typeof one === "string"))],
    };
  });
}

/** A delete takes access away, and a later create needs approval like any other: so a delete has no pairs. */
function changeNeeds(change: Change, asOf: Date): readonly ChangeNeed[] {
  // A replacement deletes one object and creates another, which may have the same access.
  if (change.action === "replace")
    return [
      ...changeNeeds(changeWith(change, { action: "create", before: null }), asOf),
      ...lostRestrictions(change, asOf),
    ];
  // Nearly every object of a large plan is one of these.
  const isImported = isNewImport(change);
  if (change.action === "delete" || (change.action === "none" && !isImported)) return [];
  // An end was approved together with its access, and a rotation by age together with its token.
  const isRotatedByItself = isToken(change) && isRotatedByAge(change.before, change.after, asOf);
  const everyRight = everyRightOf(change);
  const entries = accessEntries(change, asOf).filter(
    (one) =>
      one.effect !== "stays" &&
      !isEndOfItself(one, change) &&
      !(isRotatedByItself && one.thing["rotates"] !== undefined) &&
      !(everyRight !== undefined && one.thing["permission"] !== undefined && one.effect === "grants") &&
      !(isImported && one.thing["permission"] !== undefined && isEnd(one)),
  );
  return [
    ...(isImported ? importNeeds(change) : []),
    ...protectionNeeds(change),
    ...(everyRight === undefined ? [] : [need(change, everyRight, true)]),
    ...entries.flatMap((entry): readonly ChangeNeed[] => {
      if (entry.effect === "unknown") return [escapeUnseen(`${change.title} ${accessText(entry)}`)];
      return [need(change, entry.thing, isBroadening(entry))];
    }),
  ];
}

/** @param thing all members but the subject */
function need(change: Change, thing: Pair, broadening: boolean): ChangeNeed {
  const subject = subjectOf(change);
  if (subject === undefined) return escapeUnseen(`${change.title} ${pairMembers(thing)}`);
  return { pair: { ...subject, ...thing }, broadening };
}

/**
 * The pair of an imported record: names and logins can be given again, so its id says which record is meant. Permissions that the record has and keeps
 * are approved with it.
 */
function importNeeds(change: Change): readonly ChangeNeed[] {
  const [[kind = "", name = ""] = []] = Object.entries(subjectOf(change) ?? {});
  const id = change.observedRecord?.id ?? change.importId ?? "";
  if (kind === "") return [escapeUnseen(`${change.title} import of ${id}`)];
  const days = endsIn(change.after);
  const rightsNow = rightsAfter(change).grantedRights;
  const rights = hasRights(change) && change.before !== null ? rightsBefore(change).grantedRights : [];
  const keptRights = [...rights].filter((right) => rightsNow.has(right));
  const ends =
    keptRights.length === 0 ? [NEVER] : [...new Set(keptRights.map((right) => days[right] ?? NEVER))];
  return ends.map((until) => {
    const permissions = keptRights.filter((right) => (days[right] ?? NEVER) === until);
    const subject = { [kind === "user" ? "import" : `import_${kind}`]: name, id };
    return { pair: { ...subject, permissions, until }, broadening: true };
  });
}

/** Restrictions of a user that end with a replacement although no declaration ends them: a second factor, a deactivation. */
function lostRestrictions(change: Change, asOf: Date): readonly ChangeNeed[] {
  const isRestriction = ({ effect, byDefault, thing }: AccessEntry) =>
    effect === "grants" &&
    (byDefault ? ["activated", "allow_su"] : ["two_factor"]).some((member) => thing[member] !== undefined);
  return accessEntries(change, asOf)
    .filter(isRestriction)
    .map(({ thing }) => need(change, thing, true));
}

/** An account that is created without protection counts too: nothing else would prevent its later deletion. */
function protectionNeeds(change: Change): readonly ChangeNeed[] {
  const { before, after, title } = change;
  return [["deletion_protection", false] as const, ["allow_nonempty_delete", true] as const].flatMap(
    ([attribute, free]): readonly ChangeNeed[] => {
      const [had, has] = [before?.[attribute] ?? null, after?.[attribute] ?? null];
      if (isUnknown(has)) return [escapeUnseen(`${title} ${attribute} ${UNKNOWN_TEXT}`)];
      if (has !== free || had === free) return [];
      return [need(change, { [attribute]: String(free), until: NEVER }, true)];
    },
  );
}

/**
 * Undeclared rights of a new user: all rights that the service may grant.
 * @returns undefined if every right is declared
 */
function everyRightOf(change: Change): Pair | undefined {
  const { action, after } = change;
  if (action !== "create" || !hasRights(change)) return undefined;
  if (leavesRightsOpen(change)) return { permissions: "all", until: NEVER };
  const permissions = after?.["permissions"] ?? null;
  if (after?.["undeclared_rights"] !== "keep" || !isObject(permissions)) return undefined;
  const except = inOrderOfRights(Object.keys(permissions).filter((right) => permissions[right] === false));
  return { permissions: "all", ...(except.length > 0 && { except }), until: NEVER };
}

/** Whom a pair is about; undefined where only the apply will know it. */
function subjectOf(change: Change): Pair | undefined {
  const { key, title, description, address } = change;
  if (!isKnownText(key)) return undefined;
  // A name that may not be shown: the declaration is named instead.
  if (title !== key) return { address };
  if (!isToken(change)) return { [description.type === "tenancy_account" ? "account" : "user"]: key };
  const token = (change.after ?? change.before)?.["name"];
  return typeof token === "string" ? { user: key.slice(0, -`/${token}`.length) } : undefined;
}

// After a create.

/** Attributes that a create declares and the service shows, other access. */
const COMPARED = ["vss_scope", "node_scope", "access_web", "access_api", "activated", "allow_su", "level"];

/**
 * The access that a created user has at the service beyond the plan.
 * @param live state, as the service shows it
 * @param liveRights all rights that it shows as granted
 * @returns each as the members of a pair, with its marks
 */
export function grantedBeyond(
  change: Change,
  live: ObjectValue,
  liveRights: readonly string[],
): readonly string[] {
  const { after, declared: declaredAttributes } = change;
  const desired = after ?? {};
  const isDeclared = (attribute: string) =>
    (declaredAttributes === undefined || declaredAttributes.has(attribute)) &&
    !isUnknown(desired[attribute] ?? null);
  const comparedAttributes = COMPARED.filter((one) => isDeclared(one) && (desired[one] ?? null) !== null);
  const real = changeWith(change, {
    after: { ...desired, ...Object.fromEntries(comparedAttributes.map((one) => [one, live[one] ?? null])) },
  });
  const pairsIn = (one: Change) =>
    accessEntries(one).flatMap(({ effect, thing }) => (effect === "unknown" ? [] : [thing]));
  const isHigher = ({ level }: Pair) =>
    level === undefined || (live["level"] as number) > (desired["level"] as number);
  const isWithoutFactor =
    isDeclared(FACTOR) && (desired[FACTOR] ?? "none") !== "none" && live[FACTOR] === "none";
  const pairs = [
    ...rightsBeyond(change, liveRights).map((permission): Pair => ({ permission, until: NEVER })),
    ...dividedPairs(pairsIn(real), pairsIn(change)).missing.filter(isHigher),
    ...(isWithoutFactor ? [{ two_factor: "none", until: NEVER }] : []),
  ];
  return joinedPairs(pairs).map((pair) => {
    const marks = marksOfPair(pair).join(", ");
    return marks === "" ? pairMembers(pair) : `${pairMembers(pair)} (${marks})`;
  });
}

const FACTOR = "two_factor_auth";

function rightsBeyond(change: Change, liveRights: readonly string[]): readonly string[] {
  const { grantedRights, open, unknown } = rightsAfter(change);
  if (unknown) return [];
  if (everyRightOf(change) === undefined)
    return rightsNotIn(liveRights, grantedRights).filter((right) => !open.has(right));
  // Without declared permissions, none is denied.
  const permissions = (change.after?.["permissions"] ?? {}) as ObjectValue;
  return liveRights.filter((right) => permissions[right] === false);
}
