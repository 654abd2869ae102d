/** The changes of access: the first part of a plan. */
import {
  type AccessChange,
  type AccessEntry,
  type AccessKind,
  isBroadening,
  accessMarksOf,
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

function accessFacts(row: AccessChange, all: boolean): readonly Fact[] {
  const { action, entries } = row;
  const facts =
    action === "create"
      ? factsOnCreate(row, all)
      : action === "delete"
        ? factsOnDelete(row, all)
        : factsOnChange(row, all);
  const others = entries.filter(
    ({ kind, effect }) => kind !== "end" && (!LISTED.has(kind) || effect === "changes"),
  );
  const keeps = entries.filter(({ kind }) => kind === "end");
  return [
    ...facts,
    fact(
      "keeps",
      keeps.map(({ says, marks }) => [sentence(says.slice("keeps ".length)), ...markText(marks)]),
    ),
    ...OTHERS.map((effect) => fact(effect, others.filter((one) => one.effect === effect).map(entryText))),
    fact(
      "unknown",
      entries
        .filter((one) => one.effect === "unknown" && LISTED.has(one.kind))
        .map(({ says }) => [sentence(says)]),
    ),
  ].filter(({ items }) => items.length > 0);
}

/** A sentence, and whether that comes because nothing was declared. */
export function entryText({ says, byDefault }: AccessEntry): Text {
  return [sentence(says), ...(byDefault ? [word(" (default)")] : [])];
}

/** Kinds that are listed by their names, after a word for all of them. */
const LISTED: ReadonlySet<AccessKind> = new Set<AccessKind>(["right", "scope", "access", "token"]);

/** Effects that are shown in sentences, not as a list of names: each after the word for it, in this order. */
export const OTHERS = ["grants", "changes", "removes", "unknown"] as const;

function factsOnCreate({ entries, rights }: AccessChange, all: boolean): readonly Fact[] {
  const grants = entries.filter(({ kind, effect }) => kind === "right" && effect === "grants");
  // The preset has the rights without an end, so that no right seems to be permanent.
  const permanent = grants.filter(({ until }) => until === undefined);
  const preset = rights === null ? null : presetText(permanent.map(({ what }) => what));
  const summary =
    preset !== null && permanent.length > 0 && !all
      ? [asPreset(preset, permanent), ...grants.filter(({ until }) => until !== undefined).map(asRight)]
      : grants.map(asRight);
  const isDefault = grants.length > 0 && grants.every(({ byDefault }) => byDefault);
  const partly = !isDefault && grants.some(({ byDefault }) => byDefault);
  const source = isDefault ? "by the service's default" : "partly by the service's default";
  return [
    fact(
      counted(grants.length, "right"),
      grants.length === 0 ? [] : [...summary, ...(isDefault || partly ? [[word(source)]] : [])],
    ),
    fact("gains", tokenTexts(entries, "grants")),
    fact("scope", namesOfEntries(entries, "scope", "grants")),
    fact("access", namesOfEntries(entries, "access", "grants")),
  ];
}

function factsOnChange({ entries, rights }: AccessChange, all: boolean): readonly Fact[] {
  const of = (effect: AccessEntry["effect"]) => [
    ...entries
      .filter((one) => one.kind === "right" && one.effect === effect)
      .map(effect === "grants" ? asRight : asName),
    ...namesOfEntries(entries, "scope", effect, true),
    ...namesOfEntries(entries, "access", effect, true),
    ...tokenTexts(entries, effect),
  ];
  const [gains, loses] = [of("grants"), of("removes")];
  const staying = entries.filter(({ effect }) => effect === "stays");
  const now = entries.some(({ kind, effect }) => kind === "right" && effect !== "stays") ? rights : null;
  return [
    fact("gains", gains),
    fact("loses", loses),
    fact("now", now === null ? [] : [[name(now)]]),
    fact(
      "holds",
      staying.length === 0
        ? []
        : [
            ...(rights !== null && !all ? [asPreset(rights, staying)] : staying.map(asRight)),
            [word(counted(staying.length, "undeclared right"))],
          ],
    ),
  ];
}

/** The first few rights of a deleted user, which characterize the user; readers skip a long list. */
function factsOnDelete({ entries }: AccessChange, all: boolean): readonly Fact[] {
  const losses = [
    ...entries.filter(({ kind }) => kind === "right").map(asName),
    ...(entries.some(({ kind }) => kind === "token") ? [[word("its token")]] : []),
  ];
  const more = all ? 0 : Math.max(0, losses.length - RIGHTS_OF_DELETED);
  return [
    fact("loses", [
      ...losses.slice(0, losses.length - more),
      ...(more > 0 ? [[word(`… ${more} more`)]] : []),
      ...(entries.some(({ kind }) => kind === "access") ? [[word("all access")]] : []),
    ]),
  ];
}

const RIGHTS_OF_DELETED = 6;

/** `operator + vss.format_disks (destructive)`; the marks are those of all rights. */
function asPreset(rights: string, entries: readonly AccessEntry[]): Text {
  return [name(rights), ...markText(entries.flatMap(({ marks }) => marks))];
}

function asRight(entry: AccessEntry): Text {
  return [...asName(entry), ...markText(accessMarksOf(entry.what))];
}

function asName({ what, ...end }: AccessEntry): Text {
  return [name(what), ...endText(end)];
}

/** ` until 2026-12-04` or ` (ended 2026-12-04)`; empty without an end. */
function endText({ until, ended: lastDay }: Pick<AccessEntry, "until" | "ended">): Text {
  if (lastDay !== undefined) return [word(` (ended ${lastDay})`)];
  return until === undefined ? [] : [word(` until ${until}`)];
}

/** Marks such as "destructive" in parentheses, after a blank; empty without marks. */
export function markText(marks: readonly string[]): Text {
  const different = [...new Set(marks)].sort();
  return different.length === 0 ? [] : [word(" "), { kind: "mark", text: `(${different.join(", ")})` }];
}

/** @param isFull true if the kind comes before the name */
function namesOfEntries(
  entries: readonly AccessEntry[],
  kind: AccessKind,
  effect: AccessEntry["effect"],
  isFull = false,
): readonly Text[] {
  return entries
    .filter((one) => one.kind === kind && one.effect === effect)
    .map(({ what, byDefault, ...end }) => {
      const label = isFull || kind === "scope" ? what : what.slice(what.indexOf(".") + 1);
      return [name(label), ...endText(end), ...(byDefault ? [word(" (default)")] : [])];
    });
}

function tokenTexts(entries: readonly AccessEntry[], effect: AccessEntry["effect"]): readonly Text[] {
  return entries
    .filter((one) => one.kind === "token" && one.effect === effect)
    .map(({ says }) => [effect === "grants" ? word("a token") : sentence(says)]);
}

/** Rows of one group have this key in common; undefined for deletes and replacements, which have rows of their own. */
function accessLikeness({ action, entries }: AccessChange): string | undefined {
  if (action === "delete" || action === "replace") return undefined;
  return JSON.stringify([action, entries.map(({ says, effect, byDefault }) => [says, effect, byDefault])]);
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
