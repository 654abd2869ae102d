/** The changes of access: the first part of a plan. */
import {
  type AccessChange,
  type AccessEffect,
  type AccessEntry,
  accessText,
  isBroadening,
  isEnd,
  NEVER,
  presetText,
} from "../../plan";
import { counted, groupedDigits } from "../../lib/values";
import {
  type Fact,
  fact,
  groupAlways,
  joinTexts,
  namedMembers,
  name,
  type Row,
  row,
  sentence,
  type Text,
  word,
} from "./document";

/**
 * A row for each person, or for all people with identical changes.
 * @param all true if each person has a row, and each right is named
 */
export function accessRows(access: readonly AccessChange[], all: boolean): readonly Row[] {
  return groupAlways(access, accessLikeness, all).map((group) => {
    const [first] = group;
    const isGroup = group.length > 1;
    return row({
      action: first.action,
      name: isGroup ? [word(`${group.length} alike`)] : [name(first.who)],
      facts: accessFacts(first, all),
      ...(isGroup && { members: namedMembers(group.map(({ who }) => who)) }),
      count: group.length,
      weight: "vital",
    });
  });
}

function accessFacts({ action, entries, rights }: AccessChange, all: boolean): readonly Fact[] {
  const grantedRights =
    action === "create" ? entries.filter((one) => one.effect === "grants" && isOfRight(one)) : [];
  const staying = entries.filter(({ effect }) => effect === "stays");
  const others = entries.filter(
    (one) => one.effect !== "stays" && !isEnd(one) && !grantedRights.includes(one),
  );
  const texts = (effect: AccessEffect) => others.filter((one) => one.effect === effect).map(entryText);
  const isChanged = action !== "create" && others.some(isOfRight);
  return [
    fact(counted(grantedRights.length, "right"), grantedTexts(grantedRights, rights, all)),
    fact("gains", texts("grants")),
    fact("loses", action === "delete" && !all ? lossesOfDeleted(entries) : texts("removes")),
    fact("now", isChanged && rights !== null ? [[name(rights)]] : []),
    fact("holds", [
      ...(rights !== null && !all && staying.length > 0
        ? [asPreset(rights, staying)]
        : staying.map(entryText)),
      ...(staying.length > 0 ? [[word(counted(staying.length, "undeclared right"))]] : []),
    ]),
    fact("keeps", entries.filter(isEnd).map(entryText)),
    fact("changes", texts("changes")),
    fact("unknown", texts("unknown")),
  ].filter(({ items }) => items.length > 0);
}

/** A deleted user loses all access. The nearest preset is clearer than a long list, which names all dangerous permissions and few others. */
function lossesOfDeleted(entries: readonly AccessEntry[]): readonly Text[] {
  const losses = entries.filter((one) => isOfRight(one) || one.thing["token"] !== undefined);
  const preset = losses.every(isOfRight) ? presetText(losses.map(rightOf)) : null;
  const ordered = [...losses].sort((a, b) => b.marks.length - a.marks.length);
  const dangerous = losses.filter(({ marks }) => marks.length > 0);
  const items = ordered.slice(0, Math.max(6, dangerous.length)).map(entryText);
  const more = losses.length - items.length;
  return [
    ...(preset !== null && losses.length > 1 ? [asPreset(preset, losses)] : items),
    ...(preset === null && more > 0 ? [[word(`… ${more} more`)]] : []),
    ...(entries.some(({ thing }) => thing["access"] !== undefined) ? [[word("all access")]] : []),
  ];
}

/** The rights of a new user: their preset, the rights with an end, and whether the service gives them by default. */
function grantedTexts(
  grantedRights: readonly AccessEntry[],
  rights: string | null,
  all: boolean,
): readonly Text[] {
  if (grantedRights.length === 0) return [];
  // The preset has the rights without an end, so that no right seems to be permanent.
  const datedRights = grantedRights.filter(isDated);
  const permanent = grantedRights.filter((one) => !datedRights.includes(one));
  const preset = rights === null ? null : presetText(permanent.map(rightOf));
  const source = grantedRights.every(({ byDefault }) => byDefault) ? "" : "partly ";
  return [
    ...(preset !== null && permanent.length > 0 && !all
      ? [asPreset(preset, permanent), ...datedRights.map(entryText)]
      : grantedRights.map(entryText)),
    ...(grantedRights.some(({ byDefault }) => byDefault)
      ? [[word(`${source}by the service's default`)]]
      : []),
  ];
}

/** `operator + vss.format_disks (destructive)`; the marks are those of all rights. */
function asPreset(rights: string, entries: readonly AccessEntry[]): Text {
  return [name(rights), ...markText(entries.flatMap(({ marks }) => marks))];
}

/** An entry in words, with its marks, and whether it comes because nothing was declared. */
export function entryText(entry: AccessEntry): Text {
  const { byDefault, effect, marks } = entry;
  const text = accessText(entry);
  const right = isOfRight(entry) ? rightOf(entry) : "";
  return [
    ...(right === "" ? [] : [name(right)]),
    ...(text.length > right.length ? [right === "" ? sentence(text) : word(text.slice(right.length))] : []),
    ...(byDefault && right === "" ? [word(" (default)")] : []),
    ...(effect === "removes" && !isEnd(entry) ? [] : markText(marks)),
  ];
}

/** True if it is about one right. */
export function isOfRight({ thing }: AccessEntry): boolean {
  return thing["permission"] !== undefined;
}

/** True for access that ends on a day. */
export function isDated({ thing: { until = NEVER } }: AccessEntry): boolean {
  return until !== NEVER;
}

export function rightOf({ thing }: AccessEntry): string {
  return String(thing["permission"]);
}

/** Marks such as "destructive" in parentheses, after a blank; empty without marks. */
export function markText(marks: readonly string[]): Text {
  const different = [...new Set(marks)].sort();
  return different.length === 0 ? [] : [word(" "), { kind: "mark", text: `(${different.join(", ")})` }];
}

/** Rows of one group have this key in common; undefined for deletes and replacements, which have rows of their own. */
function accessLikeness({ action, entries }: AccessChange): string | undefined {
  if (action === "delete" || action === "replace") return undefined;
  return JSON.stringify([action, entries.map((one) => [accessText(one), one.effect, one.byDefault])]);
}

/** The headline of a plan: `Grants access to 3,100 users (1,200 with dangerous permissions), creates 100 tokens.` */
export function accessHeadline(access: readonly AccessChange[]): Text {
  const phrase = (words: string, ofToken: boolean, matches: (entry: AccessEntry) => boolean): Text => {
    const ofPhrase = (one: AccessEntry) =>
      ofToken === ("token" in one.thing || "rotates" in one.thing) && matches(one);
    const rows = access.filter(({ entries }) => entries.some(ofPhrase));
    const isDangerous = (one: AccessEntry) => ofPhrase(one) && isBroadening(one) && one.marks.length > 0;
    const dangerous = rows.filter(({ entries }) => entries.some(isDangerous)).length;
    const [first] = rows;
    if (first === undefined) return [];
    const isOne = rows.length === 1 && !ofToken;
    const marks = isOne ? "dangerous permissions" : `${groupedDigits(dangerous)} with dangerous permissions`;
    const who = isOne ? name(first.who, 128) : word(counted(rows.length, ofToken ? "token" : "user"));
    return [word(words), who, ...markText(dangerous === 0 ? [] : [marks])];
  };
  const isNewToken = ({ thing, effect }: AccessEntry) =>
    "rotates" in thing || (effect === "grants" && Object.keys(thing).join() === "token,until");
  const parts = [
    phrase("grants access to ", false, isBroadening),
    phrase("creates ", true, isNewToken),
    phrase("changes ", true, (one) => isBroadening(one) && !isNewToken(one)),
    phrase("removes access from ", false, (one) => one.effect === "removes" && !isEnd(one)),
    phrase("revokes ", true, ({ effect, thing }) => effect === "removes" && !("reader" in thing)),
  ].filter((part) => part.length > 0);
  const [{ text } = word(""), ...rest] = joinTexts(parts, ", ");
  return parts.length === 0 ? [] : [word(text.charAt(0).toUpperCase() + text.slice(1)), ...rest, word(".")];
}
