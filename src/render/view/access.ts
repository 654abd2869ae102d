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
import { counted } from "../../lib/values";
import {
  type Fact,
  fact,
  groupAlways,
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

/** A deleted user loses all access. The first few permissions characterize the user; readers skip a long list. */
function lossesOfDeleted(entries: readonly AccessEntry[]): readonly Text[] {
  const losses = entries.filter((one) => isOfRight(one) || one.thing["token"] !== undefined);
  const more = Math.max(0, losses.length - 6);
  return [
    ...losses.slice(0, losses.length - more).map(entryText),
    ...(more > 0 ? [[word(`… ${more} more`)]] : []),
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

/** `grants access to 3 users (destructive)`; empty if no user gains access. */
export function accessAlert(access: readonly AccessChange[]): Text {
  const widened = access.filter(({ entries }) => entries.some(isBroadening));
  const [first] = widened;
  if (first === undefined) return [];
  const dangers = new Set(
    widened.flatMap(({ entries }) => entries.filter(isBroadening).flatMap(({ marks }) => marks)),
  );
  const who = widened.length === 1 ? name(first.who, 128) : word(counted(widened.length, "user"));
  return [word("grants access to "), who, ...markText([...dangers])];
}
