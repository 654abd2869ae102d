/** Renders values as a plan shows them. */
import type { AttributeChange } from "../../schema";
import {
  escapeUnseen,
  isKnownAfterApply,
  isList,
  isObject,
  isUnknown,
  NOT_IN_SNAPSHOT,
  type Path,
  SENSITIVE_TEXT,
  UNKNOWN_TEXT,
  type Value,
} from "../../lib/values";
import type { Secrecy } from "../secrecy";

/** The text for a value that a snapshot does not contain, or the state of a run without its key. */
const LACKING_TEXT = "(not known here)";

/** Elements of a list or members of a map that are shown. */
const MOST_ELEMENTS = 8;

/** @param path the value's path, with which `secret` judges it and its members */
export function shownValue(value: Value, path: Path = [], secret: Secrecy = () => false): string {
  if (path.length > 0 && secret(path)) return SENSITIVE_TEXT;
  if (value === null && String(path[0]).startsWith("limits_")) return "no limit";
  if (isUnknown(value)) return value === NOT_IN_SNAPSHOT ? LACKING_TEXT : UNKNOWN_TEXT;
  if (typeof value === "string") return quote(value);
  if (isList(value)) {
    return enclose(
      "[",
      value.map((element, index) => shownValue(element, [...path, index], secret)),
      "]",
    );
  }
  if (isObject(value)) {
    return enclose(
      "{ ",
      Object.entries(value).map(
        ([name, member]) =>
          `${/^[A-Za-z_][\w-]*$/.test(name) ? name : quote(name, 40)} = ${shownValue(member, [...path, name], secret)}`,
      ),
      " }",
    );
  }
  return String(value);
}

/** The value of one attribute before and after, as in `"a" -> "b"`. */
export function shownTransition(
  { path, attribute, before, after }: AttributeChange,
  secret: Secrecy,
): string {
  if (secret(path)) return SENSITIVE_TEXT;
  if (attribute.shape.kind === "set" && isList(before) && isList(after)) {
    const difference = setDifference(before, after);
    if (difference !== undefined) return difference;
  }
  const [from, to] =
    typeof before === "string" && typeof after === "string"
      ? quotePair(before, after)
      : [
          isKnownAfterApply(before) ? "(not known)" : shownValue(before, path, secret),
          shownValue(after, path, secret),
        ];
  return `${from} -> ${to}`;
}

/** Elements that a long set loses and gains; undefined where the set is short enough to be shown whole. */
function setDifference(before: readonly Value[], after: readonly Value[]): string | undefined {
  if (before.length + after.length <= MOST_ELEMENTS || [...before, ...after].some(isUnknown))
    return undefined;
  const [old, next] = [new Set(before), new Set(after)];
  const losses = before.filter((element) => !next.has(element)).map((element) => `-${shownValue(element)}`);
  const additions = after.filter((element) => !old.has(element)).map((element) => `+${shownValue(element)}`);
  const commonCount = after.length - additions.length;
  return [
    ...cutElements([...losses, ...additions]),
    ...(commonCount > 0 ? [`${commonCount} unchanged`] : []),
  ].join(", ");
}

function enclose(open: string, elements: readonly string[], close: string): string {
  return elements.length === 0
    ? `${open.trim()}${close.trim()}`
    : `${open}${cutElements(elements).join(", ")}${close}`;
}

function cutElements(elements: readonly string[]): readonly string[] {
  if (elements.length <= MOST_ELEMENTS) return elements;
  return [...elements.slice(0, MOST_ELEMENTS), `… ${elements.length - MOST_ELEMENTS} more`];
}

// Quoted texts, in which every character is visible.

const LONGEST = 80;
/** So many characters of a common beginning stay in front of the difference of two long texts. */
const CONTEXT = 16;

/** @param limit characters after which the text is cut. @default 80 */
export function quote(text: string, limit = LONGEST): string {
  const characters = text.length > limit ? [...text.slice(0, limit * 2)] : undefined;
  if (characters === undefined || characters.length <= limit) return literalOf(text);
  return `${literalOf(characters.slice(0, limit).join(""))}…`;
}

/** Two texts to compare. If both are long, their common beginning is omitted, so the difference is visible. */
export function quotePair(before: string, after: string): readonly [string, string] {
  const common = Math.max(before.length, after.length) > LONGEST ? commonPrefix(before, after) - CONTEXT : 0;
  if (common < CONTEXT) return [quote(before), quote(after)];
  return [`…${quote(before.slice(common))}`, `…${quote(after.slice(common))}`];
}

function literalOf(text: string): string {
  return escapeUnseen(JSON.stringify(text));
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(a[length - 1] ?? "") ? length - 1 : length;
}
