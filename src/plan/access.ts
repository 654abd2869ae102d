/** Access: every change of access in a plan. This is its only definition: the first section of a plan, JSON, guards and approvals use it. */
import { EVERYWHERE, isTokenType } from "../resources";
import { equal, isInteger, isList, isUnknown, SENSITIVE_TEXT, UNKNOWN_TEXT, type Value } from "../lib/values";
import { effectiveChange, entriesWithEnds } from "./access-ends";
import { accessEntry as entry, writtenValue as written } from "./access-entry";
import { tokenEntries } from "./access-of-tokens";
import type { AccessChange, AccessEffect, AccessEntry, Change } from "./plan";
import {
  hasRights,
  leavesRightsOpen,
  presetText,
  rightsAfter,
  rightsNotIn,
  rightsOf,
  type RightsOfChange,
} from "./rights";

/**
 * One row for each object whose change affects access, and for each profile with undeclared rights.
 * @param asOf time at which replaced tokens are evaluated
 */
export function accessChanges(changes: readonly Change[], asOf?: Date): readonly AccessChange[] {
  return changes.flatMap((change) => {
    const entries = accessEntries(change, asOf);
    return entries.length === 0 ? [] : [rowOf(change, entries)];
  });
}

/** The effects of one object's change on access. */
export function accessEntries(change: Change, asOf?: Date): readonly AccessEntry[] {
  // The state of an unchanged object is not even computed.
  if (change.action === "none" && !leavesRightsOpen(change)) return [];
  return isToken(change)
    ? tokenEntries(change, asOf)
    : entriesWithEnds(userEntries(effectiveChange(change)), change);
}

export function isToken({ description }: Change): boolean {
  return isTokenType(description.type);
}

/** True if a change of the attribute bears on access. */
export function bearsOnAccess(attribute: string): boolean {
  return Object.hasOwn(ACCESS_RULES, attribute) || DECIDING_RIGHTS.has(attribute) || OF_TOKENS.has(attribute);
}

/** Attributes without a rule of their own: rights follow from both together. */
const DECIDING_RIGHTS: ReadonlySet<string> = new Set([
  "permissions",
  "undeclared_rights",
  "permissions_until",
  "access_until",
  "ended",
]);
/** Attributes whose change creates another token, or keeps replaced ones for longer or shorter. */
const OF_TOKENS: ReadonlySet<string> = new Set([
  "keepers",
  "seal_to",
  "retain_previous_for",
  "retain_previous",
]);

/** True if a user may have more access afterwards. Unknown and merely different values count. */
export function isBroadening({ effect }: Pick<AccessEntry, "effect">): boolean {
  return effect !== "removes" && effect !== "stays";
}

/** Rows by importance: gains of dangerous rights, other gains, unknown access, losses. */
export function byDanger<Row extends AccessChange>(rows: readonly Row[]): readonly Row[] {
  const ranked = rows.map((row) => ({ row, rank: rankOf(row) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ row }) => row);
}

function rankOf({ entries, effect }: AccessChange): number {
  if (entries.some((one) => isBroadening(one) && one.marks.length > 0)) return 0;
  if (effect === "grants") return 1;
  if (effect !== "stays") return effect === "removes" ? 4 : 2;
  return 3;
}

function rowOf(change: Change, entries: readonly AccessEntry[]): AccessChange {
  const { title: who, address, action } = change;
  const after = hasRights(change) ? rightsAfter(change) : undefined;
  return {
    who,
    address,
    action,
    effect: EFFECTS.find((effect) => entries.some((one) => one.effect === effect)) ?? "stays",
    entries,
    rights:
      action === "delete" || after === undefined || after.unknown ? null : presetText(after.grantedRights),
  };
}

/** A row's effect is the first of these that one of its entries has. */
const EFFECTS: readonly AccessEffect[] = ["grants", "unknown", "changes", "removes"];

// Users: an account represents its primary user profile.

function userEntries(change: Change): readonly AccessEntry[] {
  const rights = rightsOf(change);
  const entries = rightEntries(change, rights);
  if (change.action === "none") return entries;
  // A loop, because this is done for every user of a large plan, and few of the rules apply.
  for (const [name, rule] of NAMED_RULES) {
    const facts = factsOf(change, name, rights);
    if (facts !== undefined) entries.push(...rule(facts));
  }
  return entries;
}

/** One attribute of one change, as a rule sees it. A class, because a large plan has ten of them for each user. */
class Facts {
  constructor(
    readonly change: Change,
    readonly name: string,
    /** Null before a create, and where the service does not show it. */
    readonly before: Value,
    /** Null after a delete; unknown only where it is declared so. */
    readonly after: Value,
    /** True if the service chooses the value of a new object. */
    readonly isDefault: boolean,
    readonly rights: RightsOfChange,
  ) {}

  /** The value as it may be shown. */
  show(value: Value): string {
    return this.#isHidden() ? SENSITIVE_TEXT : isUnknown(value) ? UNKNOWN_TEXT : written(value);
  }

  #isHidden(): boolean {
    return this.change.sensitive.some(([first]) => first === this.name);
  }
}

type AccessRule = (facts: Facts) => readonly AccessEntry[];

/** @returns undefined where the attribute does not change */
function factsOf(change: Change, name: string, rights: RightsOfChange): Facts | undefined {
  const before = change.before?.[name] ?? null;
  const after = change.after?.[name] ?? null;
  if (before === null && after === null && name !== PASSWORD) return undefined;
  const isLeft = isUnknown(after) && change.declared?.has(name) === false;
  // An undeclared value does not change, except in a new object.
  if (isLeft && change.action === "update") return undefined;
  // A password that is taken away has no version before or after.
  if (name !== PASSWORD && equal(before, after)) return undefined;
  return new Facts(change, name, before, isLeft ? null : after, isLeft, rights);
}

const PASSWORD = "password_wo_version";

/** The effect of a change, by attribute. Rights, which two attributes decide, are below. */
const ACCESS_RULES: Readonly<Record<string, AccessRule>> = {
  vss_scope: scopeRule("vss"),
  node_scope: scopeRule("node"),
  access_web: accessRule("web"),
  access_api: accessRule("api"),
  // The service takes it with a new account alone: a later change is recorded, and has no effect.
  activated: (facts) =>
    facts.change.action === "update" && facts.change.description.name === "account" ? [] : flagEntries(facts),
  allow_su: flagEntries,
  level(facts) {
    const { change, before, after } = facts;
    if (after === null) return [];
    const effect = isUnknown(after) ? "unknown" : growth(before, after, change.action);
    const from = before === null ? {} : { from: facts.show(before) };
    return [entry(effect, { level: facts.show(after) }, from)];
  },
  two_factor_auth(facts) {
    const { before, after, isDefault } = facts;
    const [had, has] = [isFactor(before), isFactor(after)];
    const factor = (effect: AccessEffect) => [
      entry(
        effect,
        { two_factor: isDefault ? "none" : facts.show(after) },
        had ? { from: facts.show(before) } : {},
      ),
    ];
    if (isUnknown(after)) return factor("unknown");
    if (had && has) return factor("changes");
    if (has) return factor("removes");
    // A replaced user without a declared value has none either.
    return had && (isDefault || after !== null) ? factor("grants") : [];
  },
  two_factor_otp_wo_version: factorRule("otp"),
  two_factor_secret_wo_version: factorRule("secret"),
  two_factor_private_id_wo_version: factorRule("private_id"),
  two_factor_security_email(facts) {
    const { change, before, after } = facts;
    if (change.action === "delete" || (after === null && before === null)) return [];
    const effect = isUnknown(after)
      ? "unknown"
      : before === null
        ? "grants"
        : after === null
          ? "removes"
          : "changes";
    return [entry(effect, { security_email: after === null ? "none" : facts.show(after) || "none" })];
  },
  [PASSWORD](facts) {
    const { change, before, after } = facts;
    const had = change.before?.["password_set"] ?? null;
    const unset = change.after?.["unset"] ?? null;
    if (isList(unset) && unset.includes("password_wo"))
      return had === false || change.action === "create" ? [] : [entry("removes", { password: "none" })];
    if (after === null || equal(before, after)) return [];
    const isFirst = had === false || (had === null && before === null);
    const effect = isUnknown(after) ? "unknown" : isFirst ? "grants" : "changes";
    return [entry(effect, { password: facts.show(after) })];
  },
};

const NAMED_RULES = Object.entries(ACCESS_RULES);

function isFactor(value: Value): boolean {
  return value !== null && value !== "none" && !isUnknown(value);
}

function growth(before: Value, after: Value, action: Change["action"]): AccessEffect {
  if (action === "create") return "grants";
  // A hidden value may have been higher or lower.
  if (!isInteger(before)) return "changes";
  return before < (after as number | bigint) ? "grants" : "removes";
}

function flagEntries({ name, change: { action }, before, after, isDefault }: Facts): readonly AccessEntry[] {
  // A replaced user gets the service's default, and loses the restriction of the old user.
  if (isDefault && before === false) return [entry("grants", { [name]: "true" }, { byDefault: true })];
  if (after === null) return [];
  if (isUnknown(after)) return [entry("unknown", { [name]: UNKNOWN_TEXT })];
  if (after === true) return [entry("grants", { [name]: "true" })];
  return action === "create" ? [] : [entry("removes", { [name]: "false" })];
}

function accessRule(access: string): AccessRule {
  return ({ change: { action }, before, after, isDefault }) => {
    // The service gives it to a profile that is created without a word about it.
    if (isDefault) return [entry("grants", { access }, { byDefault: true })];
    if (isUnknown(after)) return [entry("unknown", { access })];
    if (after === true) return [entry("grants", { access })];
    // A hidden value may have existed.
    const had = before === true || (before === null && action !== "create");
    return had ? [entry("removes", { access })] : [];
  };
}

function factorRule(part: string): AccessRule {
  return (facts) => {
    const { change, after } = facts;
    if (change.action === "create" || after === null) return [];
    return [entry(isUnknown(after) ? "unknown" : "changes", { [`two_factor_${part}`]: facts.show(after) })];
  };
}

function scopeRule(group: "vss" | "node"): AccessRule {
  const attribute = `${group}_scope`;
  return (facts) => {
    const { before, after, isDefault, rights } = facts;
    const { action } = facts.change;
    // Without a right of the group, the scope of a new or deleted user has no effect.
    const { grantedRights, open, unknown } = action === "delete" ? rights.before : rights.after;
    const isUsed = unknown || holdsAny(grantedRights, `${group}.`) || holdsAny(open, `${group}.`);
    if (action !== "update" && !isUsed) return [];
    const scopeEntry = (effect: AccessEffect, id: string, more = {}) =>
      entry(effect, { [attribute]: id }, more);
    if (isDefault) return [scopeEntry("grants", EVERYWHERE, { byDefault: true })];
    if (isUnknown(after) || (isList(after) && after.some(isUnknown)))
      return [scopeEntry("unknown", UNKNOWN_TEXT)];
    const [had, has] = [idsOf(before), idsOf(after)];
    const gainedIds = has.filter((id) => !had.includes(id));
    const losses = had.filter((id) => !has.includes(id));
    // `*` includes every listed id, and a list is less than `*`.
    if (has.includes(EVERYWHERE)) return [scopeEntry("grants", facts.show(EVERYWHERE))];
    if (had.includes(EVERYWHERE)) {
      const note = has.length === 0 ? {} : { note: `but ${has.map((id) => facts.show(id)).join(", ")}` };
      return [scopeEntry("removes", EVERYWHERE, note)];
    }
    return [
      ...gainedIds.map((id) => scopeEntry("grants", facts.show(id))),
      ...losses.map((id) => scopeEntry("removes", facts.show(id))),
    ];
  };
}

function holdsAny(rights: ReadonlySet<string>, prefix: string): boolean {
  for (const right of rights) if (right.startsWith(prefix)) return true;
  return false;
}

function idsOf(value: Value): readonly string[] {
  return isList(value) ? (value as readonly string[]) : [];
}

// Rights.

function rightEntries(change: Change, { before, after }: RightsOfChange): AccessEntry[] {
  const right = (permission: string, effect: AccessEffect) =>
    entry(effect, { permission }, { byDefault: after.byDefault.has(permission) });
  const isKept = change.action === "update" || change.action === "none";
  const keptRights = isKept && leavesRightsOpen(change) ? [...after.grantedRights] : [];
  const losses = rightsNotIn(before.grantedRights, after.grantedRights).filter(
    (name) => !after.open.has(name),
  );
  return [
    ...keptRights.map((name) => right(name, "stays")),
    ...rightsNotIn(after.grantedRights, before.grantedRights).map((name) => right(name, "grants")),
    ...[...after.open].map((name) => right(name, "unknown")),
    ...(after.unknown ? [entry("unknown", { permissions: UNKNOWN_TEXT })] : []),
    ...(after.unknown ? [] : losses.map((name) => right(name, "removes"))),
  ];
}
