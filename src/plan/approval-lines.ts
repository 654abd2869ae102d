/**
 * The lines of a plan that may need approval. A line says what a user gains or loses, always in the same words: plans print it, and entries of
 * `approvals/` name it. No I/O.
 */
import { EVERYWHERE, isRotatedByAge } from "../resources";
import {
  compareText,
  escapeUnseen,
  isKnownText,
  isList,
  isObject,
  isUnknown,
  normalForm,
  type ObjectValue,
  SENSITIVE_TEXT,
  stringifyJson,
  UNKNOWN_TEXT,
} from "../lib/values";
import { accessEntries, isBroadening, isToken } from "./access";
import { isEndOfItself } from "./access-ends";
import type { ApprovalLine, ApprovalNeeds } from "./approval";
import { linesOfPairs, markWords, pairsOf } from "./approval-pairs";
import { type AccessEntry, type AccessKind, type Change, changeWith, isNewImport, type Plan } from "./plan";
import { type ChangedPrivilege, isMorePrivilege } from "./privileges";
import {
  hasRights,
  inOrderOfRights,
  leavesRightsOpen,
  accessMarksOf,
  marksOfEveryRight,
  rightsAfter,
  rightsNotIn,
} from "./rights";

/** All lines of a plan that may need approval, by service and owner. */
export function approvalNeeds(
  plan: Pick<Plan, "stack" | "targets" | "changes" | "deletedWithAccount" | "released" | "plannedAt">,
): readonly ApprovalNeeds[] {
  const asOf = new Date(plan.plannedAt);
  const changes = [...plan.changes, ...plan.deletedWithAccount, ...(plan.released ?? [])];
  return byScope(
    plan,
    changes.map((change) => [change.provider, linesOf(change, asOf)] as const),
  );
}

/** The lines of accepted undeclared privileges: `jane@acme keeps level 5`. */
export function acceptanceNeeds(
  plan: Pick<Plan, "stack" | "targets">,
  accepted: readonly { readonly change: Change; readonly privileges: readonly ChangedPrivilege[] }[],
): readonly ApprovalNeeds[] {
  return byScope(
    plan,
    accepted.map(({ change, privileges }) => {
      const line = linesAbout(change);
      return [
        change.provider,
        privileges.flatMap((privilege) =>
          privilegeWords(privilege).map((says) =>
            line(says, says.startsWith("keeps ") && isMorePrivilege(privilege)),
          ),
        ),
      ] as const;
    }),
  );
}

/** Words of a privilege that is accepted; a scope has some for each id. */
function privilegeWords({ path: [attribute = "", right], from, to }: ChangedPrivilege): readonly string[] {
  if (right !== undefined)
    return [
      to === true
        ? `keeps ${nameText(String(right))}${markWords(accessMarksOf(String(right)))}`
        : `loses ${nameText(String(right))}`,
    ];
  if (isList(to)) {
    const [idsBefore, ids] = [
      isList(from ?? null) ? (from as readonly string[]) : [],
      to as readonly string[],
    ];
    return [
      ...ids.filter((id) => !idsBefore.includes(id)).map((id) => `keeps ${attribute} ${nameText(id)}`),
      ...idsBefore.filter((id) => !ids.includes(id)).map((id) => `loses ${attribute} ${nameText(id)}`),
    ];
  }
  if (attribute === "level") return [`keeps level ${stringifyJson(to)}`];
  if (attribute === "two_factor_auth")
    return [to === "none" ? "keeps two_factor none" : "loses two_factor none"];
  const words = { access_web: "web access", access_api: "API access" }[String(attribute)] ?? attribute;
  return [`${to === true ? "keeps" : "loses"} ${words}`];
}

/** @param lineLists lines by the provider configuration that they are of */
function byScope(
  { stack, targets }: Pick<Plan, "stack" | "targets">,
  lineLists: readonly (readonly [provider: string, lines: readonly FoundLine[]])[],
): readonly ApprovalNeeds[] {
  const scopes = new Map<
    string,
    Omit<ApprovalNeeds, "lines" | "unknown"> & {
      readonly lines: ApprovalLine[];
      readonly unknown: ApprovalLine[];
    }
  >();
  for (const [provider, scopeLines] of lineLists) {
    if (scopeLines.length === 0) continue;
    const { origin = "", owner = "" } = targets.find((one) => one.provider === provider) ?? targets[0] ?? {};
    const id = JSON.stringify([origin, owner]);
    const scope = scopes.get(id) ?? { stack, origin, owner, lines: [], unknown: [] };
    scopes.set(id, scope);
    for (const { isUnknown: open, ...line } of scopeLines) (open ? scope.unknown : scope.lines).push(line);
  }
  return [...scopes.values()].map(({ lines, unknown, ...scope }) => ({
    ...scope,
    lines: joinedLines(lines),
    unknown: joinedLines(unknown),
  }));
}

/** Each line once, the dangerous ones first, and the other rights of a user in one line. */
function joinedLines(lines: readonly ApprovalLine[]): readonly ApprovalLine[] {
  const byPair = new Map<string, boolean>();
  for (const { line, broadening } of lines) byPair.set(line, byPair.get(line) === true || broadening);
  return linesOfPairs(byPair.keys()).map((line) => ({
    line,
    broadening: pairsOf(line).some((pair) => byPair.get(pair) === true),
  }));
}

interface FoundLine extends ApprovalLine {
  readonly isUnknown: boolean;
}

function linesOf(change: Change, asOf: Date): readonly FoundLine[] {
  // A replacement deletes one object and creates another, which may have the same access.
  if (change.action === "replace")
    return [
      ...linesOf(changeWith(change, { action: "delete", after: null }), asOf),
      ...linesOf(changeWith(change, { action: "create", before: null }), asOf),
      ...lostRestrictionLines(change, asOf),
    ];
  // Nearly every object of a large plan is one of these.
  if (change.action === "none" && !isNewImport(change)) return [];
  const line = linesAbout(change);
  const importLine = isNewImport(change) ? [lineWithId(`imports ${nounOf(change)}`, change)] : [];
  if (change.action === "delete") return deletionLines(change, line);
  // An end was approved together with its access, and a rotation by age together with its token.
  const isRotatedByItself = isToken(change) && isRotatedByAge(change.before, change.after, asOf);
  const entries = accessEntries(change, asOf).filter(
    (one) =>
      one.effect !== "stays" &&
      !isEndOfItself(one, change) &&
      !(isRotatedByItself && one.kind === "token" && one.effect === "changes"),
  );
  const everyRight = everyRightOf(change);
  return [
    ...importLine,
    ...protectionLines(change, line),
    ...(everyRight === undefined ? [] : [line(everyRight, true)]),
    ...entries
      .filter(({ kind, effect }) => kind !== "right" || everyRight === undefined || effect !== "grants")
      .map((entry) =>
        entry.kind === "reader"
          ? readerLine(entry, change)
          : line(entryWords(entry, change), isBroadening(entry), entry.effect === "unknown"),
      ),
  ];
}

type MakeLine = (says: string, broadening: boolean, open?: boolean) => FoundLine;

function linesAbout(change: Change): MakeLine {
  const who = subjectOf(change);
  return (says, broadening, open = false) => ({
    line: `${who ?? escapeUnseen(change.title)} ${says}`,
    broadening,
    isUnknown: open || who === undefined,
  });
}

/** `imports user jane@acme (user-profile:1:7)`: names and logins can be given again, so the id says which record is meant. */
function lineWithId(says: string, change: Change): FoundLine {
  const who = subjectOf(change);
  const id = nameText(change.observedRecord?.id ?? change.importId ?? "");
  return {
    line: `${says} ${who ?? escapeUnseen(change.title)} (${id})`,
    broadening: true,
    isUnknown: who === undefined,
  };
}

/** `age1… may read token "csi-prod" of csi@acme`: who reads a secret is not its user. */
function readerLine(entry: AccessEntry, change: Change): FoundLine {
  const who = subjectOf(change);
  const reader = nameText(entry.to ?? SENSITIVE_TEXT);
  const token = `token ${quoteNormalForm(shownTokenName(change))} of ${who ?? escapeUnseen(change.title)}`;
  const isNew = isBroadening(entry);
  return {
    line: `${reader} ${isNew ? "may" : "may no longer"} read ${token}`,
    broadening: isNew,
    isUnknown: who === undefined,
  };
}

function nounOf({ description: { noun } }: Change): string {
  return noun === "user profile" ? "user" : noun;
}

/** Restrictions of a user that end with a replacement although no declaration ends them: a second factor, a deactivation. */
function lostRestrictionLines(change: Change, asOf: Date): readonly FoundLine[] {
  const line = linesAbout(change);
  return accessEntries(change, asOf)
    .filter(({ kind, effect, byDefault }) => effect === "grants" && (byDefault ? FLAGS : FACTORS).has(kind))
    .map((entry) => line(entryWords(entry, change), true));
}

const FLAGS: ReadonlySet<AccessKind> = new Set<AccessKind>(["activation", "allow_su"]);
const FACTORS: ReadonlySet<AccessKind> = new Set<AccessKind>(["two_factor"]);

/** A token that is deleted is one that its user loses. */
function deletionLines(change: Change, line: MakeLine): readonly FoundLine[] {
  if (isToken(change)) return [line(`loses token ${quoteNormalForm(shownTokenName(change))}`, false)];
  const { description, reason, before, claim } = change;
  // The embedded engine does not remember that an account was protected: a declared deletion lifts the protection.
  const isLifted =
    Object.hasOwn(description.attributes, PROTECTION) &&
    (reason === "removed" || (reason === "destroy" && before?.[PROTECTION] === false));
  return [
    ...(isLifted ? [line(`${PROTECTION} off`, true)] : []),
    claim === "imported" && reason !== undefined
      ? lineWithId("deletes imported", change)
      : line("deleted", false),
  ];
}

const PROTECTION = "deletion_protection";
const NONEMPTY = "allow_nonempty_delete";

/** An account that is created without protection counts too: nothing else would prevent its later deletion. */
function protectionLines({ before, after }: Change, line: MakeLine): readonly FoundLine[] {
  const lifted = (attribute: string, free: boolean, says: string) => {
    const [had, has] = [before?.[attribute] ?? null, after?.[attribute] ?? null];
    if (isUnknown(has)) return [line(`${attribute} ${UNKNOWN_TEXT}`, true, true)];
    return has === free && had !== free ? [line(says, true)] : [];
  };
  return [...lifted(PROTECTION, false, `${PROTECTION} off`), ...lifted(NONEMPTY, true, `${NONEMPTY} on`)];
}

/**
 * Undeclared rights of a new user: all rights that the service may grant.
 * @returns undefined if every right is declared
 */
function everyRightOf(change: Change): string | undefined {
  const { action, after } = change;
  if (action !== "create" || !hasRights(change)) return undefined;
  const everyRight = (deniedRights: readonly string[]) => {
    const but = deniedRights.map(nameText).join(", ");
    return `gains every right${but === "" ? "" : ` but ${but}`}${markWords(marksOfEveryRight(deniedRights))}`;
  };
  if (leavesRightsOpen(change)) return everyRight([]);
  const permissions = after?.["permissions"] ?? null;
  if (after?.["undeclared_rights"] !== "keep" || !isObject(permissions)) return undefined;
  return everyRight(
    inOrderOfRights(Object.keys(permissions).filter((right) => permissions[right] === false)),
  );
}

// The words of a line. They are public: approvals name them, so they stay as they are.

function entryWords(entry: AccessEntry, change: Change): string {
  const { kind, what, effect, to, until } = entry;
  const ending = until === undefined ? "" : ` until ${until}`;
  const value = ` ${typeof to === "string" ? nameText(to) : SENSITIVE_TEXT}`;
  const verb = effect === "removes" ? "loses" : "gains";
  if (effect === "unknown") return escapeUnseen(entry.says);
  switch (kind) {
    case "right":
      return verb === "gains" ? gainsWords(what, ending) : `loses ${nameText(what)}`;
    case "end":
      return `${escapeUnseen(entry.says)}${markWords(entry.marks)}`;
    case "scope":
      return `${verb} ${what.slice(0, what.indexOf("."))}${value}${exceptionsOf(entry, change)}`;
    case "access":
      return `${verb} ${what === "access.api" ? "API access" : "web access"}${effect === "removes" ? "" : ending}`;
    case "activation":
      return effect === "removes" ? "deactivated" : "activated";
    case "allow_su":
      return effect === "removes" ? "allow_su off" : "allow_su on";
    case "level":
      return `level ${LEVEL_WORDS[effect]}${value}`;
    case "two_factor":
      return what === "two_factor" ? `two_factor${value}` : `${what.replace(".", "_")} version${value}`;
    case "security_email":
      return effect === "removes" ? "loses security_email" : `security_email${value}`;
    case "password":
      return effect === "removes" ? "loses password" : `password version${value}`;
    case "reader":
    case "token":
      return tokenWords(entry, change);
    case "retention":
      return what === "retain_previous"
        ? `keeps replaced tokens of ${quoteNormalForm(shownTokenName(change))}, up to${value}`
        : `keeps replaced tokens of ${quoteNormalForm(shownTokenName(change))} for${value}`;
  }
}

/** @param ending ` until 2026-12-04`. @default it has no end */
function gainsWords(right: string, ending = ""): string {
  return `gains ${nameText(right)}${ending}${markWords(accessMarksOf(right))}`;
}

const LEVEL_WORDS = {
  grants: "raised to",
  removes: "lowered to",
  changes: "set to",
  stays: "is",
  unknown: "",
};

function tokenWords({ effect, to }: AccessEntry, change: Change): string {
  const token = quoteNormalForm(shownTokenName(change));
  if (effect === "grants") return `token ${token}`;
  if (effect === "changes") return `rotates token ${token}`;
  return typeof to === "string" ? `loses token ${token} ${nameText(to)}` : `loses token ${token}`;
}

/** The ids that stay when a scope of everything is narrowed. */
function exceptionsOf({ what, effect, to }: AccessEntry, { after, sensitive }: Change): string {
  if (effect !== "removes" || to !== EVERYWHERE) return "";
  const attribute = what.slice(0, what.indexOf("."));
  const ids = (after?.[attribute] ?? []) as readonly string[];
  if (ids.length === 0) return "";
  if (sensitive.some(([first]) => first === attribute)) return ` but ${SENSITIVE_TEXT}`;
  return ` but ${ids.map(nameText).sort(compareText).join(", ")}`;
}

// Whom a line is about.

/** Undefined where only the apply will know it. */
function subjectOf(change: Change): string | undefined {
  const { key, title, description, address } = change;
  if (!isKnownText(key)) return undefined;
  // A name that may not be shown: the declaration is named instead.
  if (title !== key) return `(sensitive ${quoteNormalForm(address)})`;
  if (isToken(change)) {
    const token = stateOfChange(change)["name"];
    return typeof token === "string" ? loginWords(key.slice(0, -`/${token}`.length)) : undefined;
  }
  return description.type === "tenancy_account" ? nameText(key) : loginWords(key);
}

/** `jane@acme`. The name of an account may hold an `@`, and is quoted then; the name of a user may not. */
function loginWords(login: string): string {
  const at = login.indexOf("@");
  return at < 0 ? nameText(login) : `${nameText(login.slice(0, at))}@${nameText(login.slice(at + 1))}`;
}

function shownTokenName(change: Change): string {
  const { key, title } = change;
  const token = stateOfChange(change)["name"];
  return title !== key || typeof token !== "string" ? SENSITIVE_TEXT : token;
}

function stateOfChange({ after, before }: Change): ObjectValue {
  return after ?? before ?? {};
}

// After a create.

/** Attributes that a create declares and the service shows, other access. */
const COMPARED = ["vss_scope", "node_scope", "access_web", "access_api", "activated", "allow_su", "level"];

/**
 * The access that a created user has at the service beyond the plan.
 * @param live state, as the service shows it
 * @param liveRights all rights that it shows as granted
 * @returns in the words of a line, without the name
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
  const lines = (one: Change) => new Set(accessEntries(one).map((entry) => entryWords(entry, one)));
  const plannedLines = lines(change);
  const more = [...lines(real)].filter((line) => !plannedLines.has(line));
  return [
    ...rightsBeyond(change, liveRights).map((right) => gainsWords(right)),
    ...more.filter(
      (line) => !line.startsWith("level ") || (live["level"] as number) > (desired["level"] as number),
    ),
    ...(isDeclared(FACTOR) && hasFactor(desired) && live[FACTOR] === "none" ? ["two_factor none"] : []),
  ];
}

const FACTOR = "two_factor_auth";

function hasFactor({ [FACTOR]: factor = null }: ObjectValue): boolean {
  return factor !== null && factor !== "none";
}

function rightsBeyond(change: Change, liveRights: readonly string[]): readonly string[] {
  const { grantedRights, open, unknown } = rightsAfter(change);
  if (unknown) return [];
  if (everyRightOf(change) === undefined)
    return rightsNotIn(liveRights, grantedRights).filter((right) => !open.has(right));
  // Without declared permissions, none is denied.
  const permissions = (change.after?.["permissions"] ?? {}) as ObjectValue;
  return liveRights.filter((right) => permissions[right] === false);
}

// Names, written so that no two of them read alike, and none of them ends a line or looks like a part of it.

const PLAIN = /^[\w*][\w.:+*-]*$/;

/** A name as it is where it is plain, else between quotation marks. */
function nameText(text: string): string {
  return PLAIN.test(text) ? text : quoteNormalForm(text);
}

function quoteNormalForm(text: string): string {
  return escapeUnseen(JSON.stringify(normalForm(text)));
}

/** True if a line is written as this file writes lines, without invisible characters. */
export function isReadable(line: string): boolean {
  return line !== "" && line.trim() === line && escapeUnseen(normalForm(line)) === line;
}
