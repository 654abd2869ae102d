/** Who gains and who loses what: the part of a plan that is read first. */
import { type AccessChange, type AccessEntry, type AccessKind, isBroadening, marksOf } from "../../plan";
import { plainText } from "../../values";
import { groupedAlways, painterOf, SYMBOLS } from "./changes";
import { namesOf, wrapped } from "./layout";
import type { Paint } from "./paint";

const RIGHTS_WIDTH = 72;
const WIDEST_NAME = 40;
const WORD_WIDTH = 12;

/** A word and its list: `gains` and the rights. */
type Phrase = readonly [word: string, items: readonly string[]];

/** @param all whether each person has a row, and each right is named */
export function accessLines(access: readonly AccessChange[], paint: Paint, all = false): readonly string[] {
  const groups = all ? access.map((one) => [one]) : groupedAlways(access, likeness);
  const width = Math.min(WIDEST_NAME, Math.max(0, ...groups.map((group) => nameOf(group).length)));
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const symbol = painterOf(first.action, paint)(SYMBOLS[first.action].padStart(3));
    const start = `${symbol} ${nameOf(group).padEnd(width)}    `;
    const names = group.length > 1 ? [namesOf(group.map(({ who }) => who))] : [];
    return [...phrasesOf(first, all).flatMap((phrase) => phraseLines(phrase, paint)), ...names].map(
      (line, index) => (index === 0 ? start : " ".repeat(width + 8)) + line,
    );
  });
}

function phrasesOf(row: AccessChange, all: boolean): readonly Phrase[] {
  const { action, entries } = row;
  const phrases =
    action === "create" ? created(row, all) : action === "delete" ? deleted(row, all) : changed(row, all);
  const others = entries.filter(({ kind, effect }) => !LISTED.has(kind) || effect === "changes");
  return [
    ...phrases,
    ...OTHERS.map(([effect, word]): Phrase => [
      word,
      others.filter((one) => one.effect === effect).map(({ says }) => plainText(says)),
    ]),
    [
      "unknown",
      entries
        .filter((one) => one.effect === "unknown" && LISTED.has(one.kind))
        .map(({ says }) => plainText(says)),
    ] satisfies Phrase,
  ].filter(([, items]) => items.length > 0);
}

/** Kinds that are listed by their names, after a word for all of them. */
const LISTED: ReadonlySet<AccessKind> = new Set<AccessKind>(["right", "scope", "access", "token"]);

const OTHERS = [
  ["widens", "widens"],
  ["changes", "changes"],
  ["narrows", "narrows"],
  ["unknown", "unknown"],
] as const;

function created({ entries, rights }: AccessChange, all: boolean): readonly Phrase[] {
  const given = entries.filter(({ kind, effect }) => kind === "right" && effect === "widens");
  const summary = rights !== null && !all ? [asPreset(rights, given)] : given.map(asRight);
  const isDefault = given.length > 0 && given.every(({ byDefault }) => byDefault);
  const partly = !isDefault && given.some(({ byDefault }) => byDefault);
  const source = isDefault ? "by the service's default" : "partly by the service's default";
  return [
    [count(given.length), given.length === 0 ? [] : [...summary, ...(isDefault || partly ? [source] : [])]],
    ["gains", tokensOf(entries, "widens")],
    ["scope", named(entries, "scope", "widens")],
    ["access", named(entries, "access", "widens")],
  ];
}

function changed({ entries, rights }: AccessChange, all: boolean): readonly Phrase[] {
  const of = (effect: AccessEntry["effect"]) => [
    ...entries
      .filter((one) => one.kind === "right" && one.effect === effect)
      .map(effect === "widens" ? asRight : asName),
    ...named(entries, "scope", effect, true),
    ...named(entries, "access", effect, true),
    ...tokensOf(entries, effect),
  ];
  const [gains, loses] = [of("widens"), of("narrows")];
  const held = entries.filter(({ effect }) => effect === "stays");
  const now = entries.some(({ kind, effect }) => kind === "right" && effect !== "stays") ? rights : null;
  return [
    ["gains", gains],
    ["loses", loses],
    ["now", now === null ? [] : [plainText(now)]],
    [
      "holds",
      held.length === 0
        ? []
        : [
            ...(rights !== null && !all ? [asPreset(rights, held)] : held.map(asRight)),
            `${count(held.length)} that nobody declares`,
          ],
    ],
  ];
}

/** Of somebody who goes nobody reads a long list: the first few tell who it was. */
function deleted({ entries }: AccessChange, all: boolean): readonly Phrase[] {
  const lost = [
    ...entries.filter(({ kind }) => kind === "right").map(asName),
    ...(entries.some(({ kind }) => kind === "token") ? ["its token"] : []),
  ];
  const more = all ? 0 : Math.max(0, lost.length - RIGHTS_OF_DELETED);
  return [
    [
      "loses",
      [
        ...lost.slice(0, lost.length - more),
        ...(more > 0 ? [`… ${more} more`] : []),
        ...(entries.some(({ kind }) => kind === "access") ? ["all access"] : []),
      ],
    ],
  ];
}

const RIGHTS_OF_DELETED = 6;

/** `operator + vss.format_disks (destructive)`; the marks are those of all rights. */
function asPreset(rights: string, given: readonly AccessEntry[]): string {
  return plainText(rights) + marked(given.flatMap(({ marks }) => marks));
}

function asRight({ what }: AccessEntry): string {
  return plainText(what) + marked(marksOf(what));
}

function asName({ what }: AccessEntry): string {
  return plainText(what);
}

function marked(marks: readonly string[]): string {
  const different = [...new Set(marks)].sort();
  return different.length === 0 ? "" : ` (${different.join(", ")})`;
}

/** @param isFull whether the kind stands in front of the name */
function named(
  entries: readonly AccessEntry[],
  kind: AccessKind,
  effect: AccessEntry["effect"],
  isFull = false,
): readonly string[] {
  return entries
    .filter((one) => one.kind === kind && one.effect === effect)
    .map(({ what, byDefault }) => {
      const name = isFull || kind === "scope" ? what : what.slice(what.indexOf(".") + 1);
      return plainText(name) + (byDefault ? " (default)" : "");
    });
}

function tokensOf(entries: readonly AccessEntry[], effect: AccessEntry["effect"]): readonly string[] {
  return entries
    .filter((one) => one.kind === "token" && one.effect === effect)
    .map(({ says }) => (effect === "widens" ? "a token" : plainText(says)));
}

/** Whoever may do more, and dangerous things, is seen at once. */
function phraseLines([word, items]: Phrase, paint: Paint): readonly string[] {
  return wrapped(items, RIGHTS_WIDTH).map(
    (line, index) =>
      (index === 0 ? word : "").padEnd(WORD_WIDTH) +
      line.replace(/\S+ \((destructive|powerful)[^)]*\)/g, (right) => paint.removed(right)),
  );
}

function count(rights: number): string {
  return rights === 1 ? "1 right" : `${rights} rights`;
}

function nameOf(group: readonly AccessChange[]): string {
  const [first] = group;
  return group.length === 1 && first !== undefined ? plainText(first.who) : `${group.length} alike`;
}

/** Whoever goes has a row of their own. */
function likeness({ action, entries }: AccessChange): string | undefined {
  if (action === "delete" || action === "replace") return undefined;
  return JSON.stringify([action, entries.map(({ says, effect, byDefault }) => [says, effect, byDefault])]);
}

/** `widens what 3 can do (destructive)`: for the question before an apply; undefined where nobody may do more. */
export function accessSummary(access: readonly AccessChange[]): string | undefined {
  const widened = access.filter(({ entries }) => entries.some(isBroadening));
  if (widened.length === 0) return undefined;
  const dangers = new Set(
    widened.flatMap(({ entries }) => entries.filter(isBroadening).flatMap(({ marks }) => marks)),
  );
  const who = widened.length === 1 ? plainText(widened[0]?.who ?? "", 128) : String(widened.length);
  return `widens what ${who} can do${marked([...dangers])}`;
}
