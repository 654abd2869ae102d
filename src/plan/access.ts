/** Access: every change of access in a plan. This is its only definition: the first section of a plan, JSON, guards and approvals use it. */
import { EVERYWHERE, isTokenType } from "../resources";
import { equal, isInteger, isList, isUnknown, SENSITIVE_TEXT, UNKNOWN_TEXT, type Value } from "../lib/values";
import { effectiveChange, entriesWithEnds } from "./access-ends";
import { accessEntry as entry, writtenValue as written } from "./access-entry";
import { tokenEntries } from "./access-of-tokens";
import type { AccessChange, AccessEffect, AccessEntry, AccessKind, AccessMark, Change } from "./plan";
import {
  hasRights,
  leavesRightsOpen,
  accessMarksOf,
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
  const subjectsOf = (effect: AccessEffect) =>
    entries
      .filter((one) => one.effect === effect && KINDS_WITH_SUBJECT.has(one.kind))
      .map(({ what }) => what);
  const gainedEntries = entries.filter(({ effect }) => effect === "grants");
  const gainsWith = (mark: AccessMark) =>
    gainedEntries.filter(({ kind, marks }) => kind !== "end" && marks.includes(mark)).map(({ what }) => what);
  const after = hasRights(change) ? rightsAfter(change) : undefined;
  return {
    who,
    address,
    action,
    effect: EFFECTS.find((effect) => entries.some((one) => one.effect === effect)) ?? "stays",
    entries,
    gains: subjectsOf("grants"),
    loses: subjectsOf("removes"),
    destructive: gainsWith("destructive"),
    privileged: gainsWith("privileged"),
    rights:
      action === "delete" || after === undefined || after.unknown ? null : presetText(after.grantedRights),
    partlyUnknown: entries.some(({ effect }) => effect === "unknown"),
  };
}

/** Kinds whose entries are named among `gains` and `loses`. */
const KINDS_WITH_SUBJECT: ReadonlySet<AccessKind> = new Set<AccessKind>([
  "right",
  "scope",
  "access",
  "token",
]);

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

  /** The value; null where it may not be shown. */
  tell(value: Value): string | null {
    return this.#isHidden() || isUnknown(value) ? null : written(value);
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
  const isLeft = isUnknown(after) && !isDeclared(change, name);
  // An undeclared value does not change, except in a new object.
  if (isLeft && change.action === "update") return undefined;
  // A password that is taken away has no version before or after.
  if (name !== PASSWORD && equal(before, after)) return undefined;
  return new Facts(change, name, before, isLeft ? null : after, isLeft, rights);
}

const PASSWORD = "password_wo_version";

/** True if the configuration gives the attribute a value. */
function isDeclared({ declared: declaredAttributes }: Change, name: string): boolean {
  return declaredAttributes === undefined || declaredAttributes.has(name);
}

/** The effect of a change, by attribute. Rights, which two attributes decide, are below. */
const ACCESS_RULES: Readonly<Record<string, AccessRule>> = {
  vss_scope: scopeRule("vss"),
  node_scope: scopeRule("node"),
  access_web: accessRule("web", "web access"),
  access_api: accessRule("api", "API access"),
  // The service takes it with a new account alone: a later change is recorded, and has no effect.
  activated: (facts) =>
    facts.change.action === "update" && facts.change.description.name === "account"
      ? []
      : accessFlagRule("activation", "activated", "is activated", "is deactivated")(facts),
  allow_su: accessFlagRule(
    "allow_su",
    "allow_su",
    "administrators may switch to it",
    "administrators may no longer switch to it",
  ),
  level(facts) {
    const { change, before, after } = facts;
    if (after === null) return [];
    const effect = isUnknown(after) ? "unknown" : growth(before, after, change.action);
    const says =
      before === null ? `level ${facts.show(after)}` : `level ${facts.show(before)} -> ${facts.show(after)}`;
    return [entry("level", "level", effect, says, facts.tell(after))];
  },
  two_factor_auth(facts) {
    const { before, after, isDefault } = facts;
    const [had, has] = [isFactor(before), isFactor(after)];
    const factor = (effect: AccessEffect, says: string) => [
      entry(
        "two_factor",
        "two_factor",
        effect,
        `two-factor authentication ${says}`,
        facts.tell(isDefault ? "none" : after),
      ),
    ];
    if (isUnknown(after)) return factor("unknown", UNKNOWN_TEXT);
    if (had && has) return factor("changes", `${facts.show(before)} -> ${facts.show(after)}`);
    if (has) return factor("removes", `${facts.show(after)} is set`);
    // A replaced user without a declared value has none either.
    const isTaken = had && (isDefault || after !== null);
    return isTaken ? factor("grants", `is taken away (was ${facts.show(before)})`) : [];
  },
  two_factor_otp_wo_version: factorRule("otp", "a new one-time code, which binds a device"),
  two_factor_secret_wo_version: factorRule("secret", "a new secret of the second factor"),
  two_factor_private_id_wo_version: factorRule("private_id", "a new private id of the second factor"),
  two_factor_security_email(facts) {
    const { change, before, after } = facts;
    if (change.action === "delete" || (after === null && before === null)) return [];
    const [effect, says]: readonly [AccessEffect, string] = isUnknown(after)
      ? ["unknown", `security e-mail address ${UNKNOWN_TEXT}`]
      : before === null
        ? ["grants", "a security e-mail address"]
        : after === null
          ? ["removes", "its security e-mail address is taken away"]
          : ["changes", "another security e-mail address"];
    return [entry("security_email", "security_email", effect, says, facts.tell(after))];
  },
  [PASSWORD](facts) {
    const { change, before, after } = facts;
    const had = change.before?.["password_set"] ?? null;
    const unset = change.after?.["unset"] ?? null;
    if (isList(unset) && unset.includes("password_wo"))
      return had === false || change.action === "create"
        ? []
        : [entry("password", "password", "removes", "its password is taken away")];
    if (isUnknown(after)) return [entry("password", "password", "unknown", "perhaps a new password")];
    if (after === null || equal(before, after)) return [];
    const isFirst = had === false || (had === null && before === null);
    const [effect, says] = isFirst
      ? (["grants", "a first password"] as const)
      : (["changes", "a new password"] as const);
    return [entry("password", "password", effect, says, facts.tell(after))];
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

function accessFlagRule(kind: AccessKind, what: string, yes: string, no: string): AccessRule {
  return ({ change: { action }, before, after, isDefault }) => {
    // A replaced user gets the service's default, and loses the restriction of the old user.
    if (isDefault && before === false) return [{ ...entry(kind, what, "grants", yes), byDefault: true }];
    if (after === null) return [];
    if (isUnknown(after)) return [entry(kind, what, "unknown", `${yes} ${UNKNOWN_TEXT}`)];
    if (after === true) return [entry(kind, what, "grants", yes)];
    return action === "create" ? [] : [entry(kind, what, "removes", no)];
  };
}

function accessRule(kind: string, words: string): AccessRule {
  const what = `access.${kind}`;
  return ({ change: { action }, before, after, isDefault }) => {
    // The service gives it to a profile that is created without a word about it.
    if (isDefault) return [{ ...entry("access", what, "grants", `gains ${words}`), byDefault: true }];
    if (isUnknown(after)) return [entry("access", what, "unknown", `${words} ${UNKNOWN_TEXT}`)];
    if (after === true) return [entry("access", what, "grants", `gains ${words}`)];
    // A hidden value may have existed.
    const had = before === true || (before === null && action !== "create");
    return had ? [entry("access", what, "removes", `loses ${words}`)] : [];
  };
}

function factorRule(part: string, says: string): AccessRule {
  return (facts) => {
    const { change, after } = facts;
    if (change.action === "create" || after === null) return [];
    const effect = isUnknown(after) ? "unknown" : "changes";
    return [entry("two_factor", `two_factor.${part}`, effect, says, facts.tell(after))];
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
    const everywhere = `${attribute}.${EVERYWHERE}`;
    if (isDefault) {
      const says = `gains ${attribute} ${EVERYWHERE}`;
      return [{ ...entry("scope", everywhere, "grants", says, EVERYWHERE), byDefault: true }];
    }
    if (isUnknown(after) || (isList(after) && after.some(isUnknown)))
      return [entry("scope", attribute, "unknown", `${attribute} ${UNKNOWN_TEXT}`)];
    const [had, has] = [idsOf(before), idsOf(after)];
    const gainedIds = has.filter((id) => !had.includes(id));
    const losses = had.filter((id) => !has.includes(id));
    const ids = (effect: AccessEffect, verb: string, of: readonly string[]) =>
      of.map((id) => {
        const what = facts.show(id);
        return entry("scope", `${attribute}.${what}`, effect, `${verb} ${attribute} ${what}`, facts.tell(id));
      });
    // `*` includes every listed id, and a list is less than `*`.
    if (has.includes(EVERYWHERE)) return ids("grants", "gains", [EVERYWHERE]);
    if (had.includes(EVERYWHERE)) {
      const rest = has.length === 0 ? "" : ` but ${has.map((id) => facts.show(id)).join(", ")}`;
      const says = `loses ${attribute} ${EVERYWHERE}${rest}`;
      return [entry("scope", everywhere, "removes", says, EVERYWHERE)];
    }
    return [...ids("grants", "gains", gainedIds), ...ids("removes", "loses", losses)];
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
  const right = (what: string, effect: AccessEffect, says: string): AccessEntry => ({
    kind: "right",
    what,
    effect,
    says,
    marks: accessMarksOf(what),
    byDefault: after.byDefault.has(what),
  });
  const isKept = change.action === "update" || change.action === "none";
  if (isKept && leavesRightsOpen(change))
    return [...before.grantedRights].map((name) =>
      right(name, "stays", `keeps ${name}, which is not declared`),
    );
  const losses = rightsNotIn(before.grantedRights, after.grantedRights).filter(
    (name) => !after.open.has(name),
  );
  return [
    ...rightsNotIn(after.grantedRights, before.grantedRights).map((name) =>
      right(name, "grants", `gains ${name}`),
    ),
    ...[...after.open].map((name) => right(name, "unknown", `${name} ${UNKNOWN_TEXT}`)),
    ...(after.unknown ? [entry("right", "permissions", "unknown", `permissions ${UNKNOWN_TEXT}`)] : []),
    ...(after.unknown ? [] : losses.map((name) => right(name, "removes", `loses ${name}`))),
  ];
}
