/** Renders who gains and who loses which rights, which is the first part of a plan. */
import type { AccessChange } from "../../plan";
import { plainText } from "../../values";
import { grouped, painterOf, SYMBOLS } from "./changes";
import { namesOf, wrapped } from "./layout";
import type { Paint } from "./paint";
import { UNKNOWN_TEXT } from "./values";

const RIGHTS_WIDTH = 72;
const WIDEST_NAME = 40;
const WORD_WIDTH = 12;

/** A word and its list: `gains` and the rights. */
type Phrase = readonly [word: string, items: readonly string[]];

export function accessLines(access: readonly AccessChange[], paint: Paint): readonly string[] {
  const groups = grouped(access, likeness);
  const width = Math.min(WIDEST_NAME, Math.max(0, ...groups.map((group) => nameOf(group).length)));
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const symbol = painterOf(first.action, paint)(SYMBOLS[first.action].padStart(3));
    const start = `${symbol} ${nameOf(group).padEnd(width)}    `;
    const names = group.length > 1 ? [namesOf(group.map(({ who }) => who))] : [];
    return [...phrasesOf(first).flatMap((phrase) => phraseLines(phrase, paint)), ...names].map(
      (line, index) => (index === 0 ? start : " ".repeat(width + 8)) + line,
    );
  });
}

function phrasesOf({ action, gains, loses, destructive, partlyUnknown }: AccessChange): readonly Phrase[] {
  const marked = (rights: readonly string[]): readonly string[] =>
    rights.map((right) => plainText(right) + (destructive.includes(right) ? DESTRUCTIVE : ""));
  const phrases: Phrase[] =
    action === "create" && !gains.includes("token")
      ? [
          [count(rightsOf(gains).length), marked(rightsOf(gains))],
          ["scope", scopesOf(gains)],
          ["access", kindsOf(gains)],
        ]
      : [
          ["gains", marked(gains.map(nameOfToken))],
          [
            "loses",
            action === "delete" ? everything(loses) : loses.map(nameOfToken).map((right) => plainText(right)),
          ],
        ];
  const said = phrases.filter(([, items]) => items.length > 0);
  if (!partlyUnknown) return said;
  return [...said, [said.length > 0 ? "" : action === "create" ? "gains" : "changes", [UNKNOWN_TEXT]]];
}

const DESTRUCTIVE = " (destructive)";

function phraseLines([word, items]: Phrase, paint: Paint): readonly string[] {
  return wrapped(items, RIGHTS_WIDTH).map(
    (line, index) =>
      (index === 0 ? word : "").padEnd(WORD_WIDTH) +
      line.replace(/\S+ \(destructive\)/g, (right) => paint.removed(right)),
  );
}

/** The rights of a deleted user are cut to the first few, which show who it was. */
function everything(lost: readonly string[]): readonly string[] {
  const rights = rightsOf(lost);
  const shown = rights
    .slice(0, RIGHTS_OF_DELETED)
    .map((right) => plainText(right === "token" ? "its token" : right));
  const more = rights.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`… ${more} more`] : []),
    ...(kindsOf(lost).length > 0 ? ["all access"] : []),
  ];
}

const RIGHTS_OF_DELETED = 6;

function nameOfToken(right: string): string {
  return right === "token" ? "a token" : right;
}

function rightsOf(rights: readonly string[]): readonly string[] {
  return rights.filter((right) => !right.startsWith(ACCESS) && !SCOPE.test(right));
}

/** The scopes without a limit of those groups in which there is a right to be had: `vss_scope.*`. */
function scopesOf(rights: readonly string[]): readonly string[] {
  const groups = new Set(rightsOf(rights).map((right) => right.slice(0, right.indexOf("."))));
  return rights.filter((right) => SCOPE.test(right) && groups.has(right.slice(0, right.indexOf("_"))));
}

const SCOPE = /^(vss|node)_scope\./;

/** Kinds of access: `web`, `api`. */
function kindsOf(rights: readonly string[]): readonly string[] {
  return rights.filter((right) => right.startsWith(ACCESS)).map((right) => right.slice(ACCESS.length));
}

const ACCESS = "access.";

function count(rights: number): string {
  return rights === 1 ? "1 right" : `${rights} rights`;
}

function nameOf(group: readonly AccessChange[]): string {
  const [first] = group;
  return group.length === 1 && first !== undefined ? plainText(first.who) : `${group.length} alike`;
}

function likeness({ action, gains, loses, partlyUnknown }: AccessChange): string | undefined {
  if (action === "delete" || action === "replace") return undefined;
  return JSON.stringify([action, gains, loses, partlyUnknown]);
}
