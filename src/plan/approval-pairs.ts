/**
 * Pairs: a user and one thing that the user may have, until a day or without an end. Plans show pairs, files of `approvals/` hold them, and the
 * judgement compares them member by member. No I/O.
 */
import { compareText, escapeUnseen, nearest, normalForm } from "../lib/values";
import { isDay } from "../schema";
import type { AccessMark, Pair } from "./plan";
import { accessMarksOf, inOrderOfRights, marksOfEveryRight, NO_ACCESS_MARKS, presetText } from "./rights";

/** The end of access that does not end. As a text it comes after every day. */
export const NEVER = "never";
/** All permissions that the service may grant. */
const ALL = "all";

/** An import is of one record, whose `id` the pair has. An address names an object whose own name may not be shown. */
const SUBJECTS = ["user", "account", "address", "import", "import_account", "import_address"];

/** The things that a subject may have, with the further members that each may have. */
const THINGS: Readonly<Record<string, readonly string[]>> = {
  permission: [],
  permissions: ["except"],
  vss_scope: [],
  node_scope: [],
  access: [],
  activated: [],
  allow_su: [],
  level: [],
  two_factor: [],
  two_factor_otp: [],
  two_factor_secret: [],
  two_factor_private_id: [],
  security_email: [],
  password: [],
  token: ["reader", "retain_previous_for", "retain_previous", "serial"],
  rotates: [],
  deletion_protection: [],
  allow_nonempty_delete: [],
};

/** In the order in which a pair is written. */
const PAIR_MEMBERS = [
  ...[...SUBJECTS, "id", ...Object.keys(THINGS), ...Object.values(THINGS).flat()],
  "until",
];

/**
 * The fault of a pair of any source.
 * @param isGrant false for a removal
 * @returns undefined if plans write such pairs
 */
export function pairProblem(pair: Pair, isGrant: boolean): string | undefined {
  const names = Object.keys(pair);
  const unknown = names.find((name) => !PAIR_MEMBERS.includes(name));
  if (unknown !== undefined) {
    const others = PAIR_MEMBERS.filter((name) => !names.includes(name));
    return `${quoted(unknown.slice(0, 60))} is no member of a pair; write ${nearest(unknown, others) ?? `one of ${others.join(", ")}`}`;
  }
  const subject = names.find((name) => SUBJECTS.includes(name)) ?? "user";
  const isImport = subject.startsWith("import");
  const things = names.filter((name) => Object.hasOwn(THINGS, name));
  const [thing = "permission"] = isImport ? ["permissions"] : things;
  const isSingle = isImport && things[0] === "permission";
  const beside = names.filter((name) => THINGS[thing]?.includes(name)).slice(0, 1);
  const form = [subject, ...(isImport ? ["id"] : []), isSingle ? "permission" : thing, ...beside];
  if (isGrant) form.push("until");
  if (form.length !== names.length || form.some((name) => !names.includes(name)))
    return `the members are ${names.join(", ")}, and have to be ${form.join(", ")}`;
  for (const [name, value] of Object.entries(pair)) {
    const isList = name === "except" || (name === "permissions" && (value !== ALL || isImport));
    if (isList !== (typeof value !== "string"))
      return `${name} is ${isList ? "no list: write [ and ] around it" : "a list: write one value"}`;
    if ([value].flat().includes("") || (value.length === 0 && !isImport)) return `${name} has no value`;
  }
  const { until = NEVER, permissions = [] } = pair;
  if (until !== NEVER && !isDay(String(until)))
    return `until is ${quoted(String(until).slice(0, 60))}; write never, or a day such as 2026-12-04`;
  if (pair["except"] !== undefined && permissions !== ALL) return `except belongs to permissions: ${ALL}`;
  // One among many harmless names would be overlooked. An imported user has the permission already.
  if (permissions.length < 2 || typeof permissions === "string" || isImport || !isGrant) return undefined;
  const right = permissions.find((name) => accessMarksOf(name).length > 0);
  return right && `${right} is ${accessMarksOf(right).join(", ")}: write a pair for it alone`;
}

// Comparing.

/** The subject of an import, as in `import_account`; undefined for a pair that imports nothing. */
function importIn(pair: Pair): string | undefined {
  return Object.keys(pair).find((name) => name.startsWith("import"));
}

/**
 * The pairs of single permissions that a pair means. An import has a pair without a permission, too: names can be given again, so that a grant by
 * name covers no record of that name.
 */
function singlePairs(pair: Pair): readonly Pair[] {
  const { permissions, permission, ...others } = pair;
  if (typeof permissions === "string") return [pair];
  const rights = permissions ?? (permission === undefined ? [] : [String(permission)]);
  const singles = rights.map((right): Pair => ({ ...others, permission: right }));
  return singles.length === 0 || importIn(pair) !== undefined ? [others, ...singles] : singles;
}

/** Divides the pairs that a plan needs. A pair covers the same thing with the same or an earlier end. */
export function dividedPairs(planPairs: readonly Pair[], approvedPairs: readonly Pair[]) {
  /** The last approved end of each thing. */
  const ends = new Map<string, string>();
  for (const pair of approvedPairs.flatMap(singlePairs)) {
    const [key, end] = [pairKey(pair), lastDayOf(pair)];
    if ((ends.get(key) ?? "") < end) ends.set(key, end);
  }
  const isCovered = (pair: Pair) => (ends.get(pairKey(pair)) ?? "") >= lastDayOf(pair);
  const singles = planPairs.flatMap(singlePairs);
  return {
    approved: joinedPairs(singles.filter(isCovered)),
    missing: joinedPairs(singles.filter((pair) => !isCovered(pair))),
  };
}

/** A removal has no end, and `-` comes before every day. */
function lastDayOf({ until = "-" }: Pair): string {
  return String(until);
}

/** All members of a pair but its end. Names that differ only in their form in Unicode are the same name. */
function pairKey({ until, ...members }: Pair): string {
  const entries = Object.entries(members).sort(([a], [b]) => compareText(a, b));
  return normalForm(JSON.stringify([until === undefined, entries]));
}

/**
 * The same pairs, each once, with the permissions of one user until the same day in one pair. Permissions with a mark keep pairs of their own, which
 * come first, except those of imports.
 */
export function joinedPairs(pairs: readonly Pair[]): readonly Pair[] {
  const groups = new Map<string, { readonly others: Pair; readonly rights: Set<string> }>();
  const markedKeys = new Set<string>();
  for (const pair of pairs.flatMap(singlePairs)) {
    const { permission, ...others } = pair;
    const isMarked = importIn(pair) === undefined && marksOfPair(pair).length > 0;
    const key = pairKey(isMarked ? pair : others) + lastDayOf(pair);
    if (isMarked) markedKeys.add(key);
    const group = groups.get(key) ?? { others, rights: new Set<string>() };
    if (permission !== undefined) group.rights.add(String(permission));
    groups.set(key, group);
  }
  const keys = [...markedKeys, ...[...groups.keys()].filter((key) => !markedKeys.has(key))];
  return keys.flatMap((key) => {
    const group = groups.get(key);
    return group === undefined ? [] : [withPermissions(group.others, inOrderOfRights(group.rights))];
  });
}

function withPermissions(pair: Pair, rights: readonly string[]): Pair {
  const { until, ...others } = pair;
  const [only] = rights;
  const isList = rights.length > 1 || importIn(pair) !== undefined;
  if (only === undefined && !isList) return pair;
  const thing: Pair = isList ? { permissions: rights } : { permission: only ?? "" };
  return { ...others, ...thing, ...(until !== undefined && { until }) };
}

// Showing.

/** `destructive`, and the other marks of the permissions of a pair. */
export function marksOfPair({ permission, permissions, except = [], until }: Pair): readonly AccessMark[] {
  if (until === undefined) return NO_ACCESS_MARKS;
  if (permissions === ALL) return marksOfEveryRight([except].flat());
  const rights = [permission ?? permissions ?? []].flat();
  return [...new Set(rights.flatMap(accessMarksOf))];
}

/** The marks of a pair; else the preset that its permissions are; else nothing. */
export function remarkOn(pair: Pair): string {
  const { permissions = [], until } = pair;
  const preset = typeof permissions === "string" || until !== NEVER ? null : presetText(permissions);
  return marksOfPair(pair).join(", ") || (permissions.length > 1 && preset) || "";
}

/** A pair as files have it, on one line: `{ user: jane@acme, permission: vss.format_disks, until: 2026-12-04 }`. */
export function pairText(pair: Pair): string {
  return `{ ${pairMembers(pair)} }`;
}

/** @returns the members alone */
export function pairMembers(pair: Pair): string {
  return PAIR_MEMBERS.flatMap((name) => {
    const value = pair[name];
    if (value === undefined) return [];
    return [
      `${name}: ${typeof value === "string" ? scalarText(value) : `[${value.map(scalarText).join(", ")}]`}`,
    ];
  }).join(", ");
}

/** Texts that every reader of YAML takes as they are. */
const PLAIN = /^\w(?:[\w.:@+/*-]*[\w.@+/*-])?$/;

/** A text as YAML has it: plain, or between quotation marks with an escape for each invisible character. */
export function scalarText(text: string): string {
  return PLAIN.test(text) ? text : quoted(text);
}

/** The text as a JSON string in Unicode's normal form. Invisible characters and line ends are escaped. */
export function quoted(text: string): string {
  return escapeUnseen(JSON.stringify(normalForm(text)));
}
