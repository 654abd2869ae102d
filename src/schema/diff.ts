/**
 * Compares the declared value of an attribute with its live value and with the value that the last apply left. No other place compares values: both
 * engines ask here, for plans, refreshes, drift, and readings after a write. Pure.
 */
import {
  equal,
  isList,
  isObject,
  isUnknown,
  isWhollyKnown,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  Unknown,
  type Value,
} from "../lib/values";
import type { Attribute, Attributes } from "./attribute";
import { type Located, locatedIn } from "./description";

// One attribute: the table of the contract, row by row.

/** The value of one attribute after the last apply. */
export interface Last {
  /**
   * Compares a value with the one that was left. `recorded`: it is the same, and no apply has sent it. `not known`: one was left, and this run
   * cannot read it.
   */
  compare(value: Value): "same" | "recorded" | "another" | "none" | "not known";
  /** The value, where it can be read. */
  readonly value?: Value | undefined;
}

/** @param value undefined where no apply has left one */
export function lastValue(value: Value | undefined): Last {
  return {
    compare: (other) => (value === undefined ? "none" : equal(value, other) ? "same" : "another"),
    value,
  };
}

/** In place of a live value: the caller does not see the record. */
export const NOT_SEEN = new Unknown();

/**
 * - `same`: there is nothing to do, and the declared value becomes the last one. The same is true of `recorded`, which a plan shows.
 * - `put back`, `update`, `sent once`: a write sends the declared value. The live value was changed outside Tenancy, the declaration is another one, or
 *   the live value is not known.
 * - `known after apply`, `not known`: the run cannot compare. `not known` means that a snapshot lacks the value.
 * - `stays`, `not managed`: no value is declared. The last apply left a value, or it did not.
 */
export type Verdict =
  | "same"
  | "recorded"
  | "put back"
  | "update"
  | "sent once"
  | "known after apply"
  | "not known"
  | "stays"
  | "not managed";

/**
 * @param declaredValue null to clear the value; undefined where nothing is declaredValue
 * @param live undefined where the service does not show it; {@link NOT_SEEN}, or `NOT_IN_SNAPSHOT`
 */
export function diff(
  attribute: Attribute,
  declaredValue: Value | undefined,
  live: Value | undefined,
  last: Last,
): Verdict {
  if (declaredValue === undefined) return last.compare(null) === "another" ? "stays" : "not managed";
  if (live === NOT_IN_SNAPSHOT) return "not known";
  if (!isWhollyKnown(declaredValue)) return "known after apply";
  // A mask that may hide the declared value shows nothing; any other one shows that the value is another.
  const isHidden =
    typeof declaredValue === "string" && isMask(attribute, live) && maskFits(live, declaredValue);
  if (live !== undefined && live !== NOT_SEEN && !isHidden) {
    if (same(attribute, declaredValue, live)) return "same";
    return declaredValue !== null && last.compare(declaredValue) === "same" ? "put back" : "update";
  }
  const agreement = last.compare(declaredValue);
  if (agreement === "same" || agreement === "not known") return agreement;
  if (declaredValue === null) return live === NOT_SEEN ? "same" : "sent once";
  if (agreement === "another") return "update";
  // To send the live value again is harmless. A secret, a value that no update takes and a record that is not seen are only recorded.
  if (live === undefined && isPatched(attribute)) return "sent once";
  return agreement === "none" ? "recorded" : "same";
}

/** True if the service shows a value by its mask alone. */
export function isMask({ masked }: Attribute, live: Value | undefined): live is string {
  return masked && typeof live === "string" && isMasked(live);
}

/** True if a PATCH may contain the value without other attributes. */
export function isPatched(attribute: Attribute): boolean {
  return (
    (attribute.sentWith === "both" || attribute.sentWith === "update") &&
    !attribute.writeOnly &&
    attribute.accompanies.length === 0
  );
}

// Differences between the prior and the planned state, attribute by attribute.

/** One attribute that changes; a nested group is resolved into its members. */
export interface AttributeChange {
  readonly path: readonly string[];
  readonly attribute: Attribute;
  readonly before: Value;
  /** May be unknown. */
  readonly after: Value;
}

/** The attributes whose planned value differs from the prior one, in the order of the description. */
export function changesBetween(
  attributes: Attributes,
  prior: ObjectValue | null,
  planned: ObjectValue | null,
): readonly AttributeChange[] {
  const changes: AttributeChange[] = [];
  collectChanges(locatedIn(attributes), prior, planned, changes);
  return changes;
}

function collectChanges(
  located: readonly Located[],
  prior: ObjectValue | null,
  planned: ObjectValue | null,
  changes: AttributeChange[],
): void {
  for (const { name, path, attribute, members } of located) {
    const before = prior?.[name] ?? null;
    const after = planned?.[name] ?? null;
    if (same(attribute, before, after)) continue;
    // A group that is taken away is one change; one that is filled or altered is as many as it has members that change: of an empty
    // one, none.
    if (attribute.shape.kind === "group" && !isUnknown(before) && isObject(after))
      collectChanges(members, isObject(before) ? before : null, after, changes);
    else changes.push({ path, attribute, before, after });
  }
}

// Equality of two values of one attribute: sets ignore the order of elements, everything else keeps it.

/** An unknown equals nothing, not even itself. An undeclared value that a snapshot lacks stays as it is. Absent and null are the same. */
export function same(attribute: Attribute, a: Value | undefined, b: Value | undefined): boolean {
  const left = a ?? null;
  const right = b ?? null;
  if (left === right) return !isUnknown(left) || left === NOT_IN_SNAPSHOT;
  const { shape, constraints } = attribute;
  if (typeof left === "string" && typeof right === "string") {
    if (constraints.format === "uuid") return left.toLowerCase() === right.toLowerCase();
    return constraints.format === "phone" && samePhone(left, right);
  }
  if (shape.kind === "set" && isList(left) && isList(right)) return sameElements(left, right);
  if (shape.kind === "group" && isObject(left) && isObject(right)) {
    return haveSameAttributes(shape.attributes, left, right);
  }
  if (shape.kind === "groups" && isList(left) && isList(right)) {
    return (
      left.length === right.length &&
      left.every((element, index) => {
        const other = right[index];
        return isObject(element) && isObject(other) && haveSameAttributes(shape.attributes, element, other);
      })
    );
  }
  return equal(left, right);
}

/**
 * True if two texts are one telephone number. Services rewrite numbers: without blanks and punctuation, and with the country's prefix where
 * the user gave a national number. Two numbers with a prefix are compared in full. A masked number is known in part only, and is no number.
 */
export function samePhone(a: string, b: string): boolean {
  if (!PHONE.test(a) || !PHONE.test(b)) return a === b;
  const [left, right] = [internationalForm(a), internationalForm(b)];
  if (left === right) return true;
  if (left.startsWith("+") === right.startsWith("+")) return false;
  const [whole, part] = left.startsWith("+") ? [left, right] : [right, left];
  const national = part.replace(/^0+/, "");
  return national.length >= LEAST_NATIONAL && whole.endsWith(national);
}

const PHONE = /^[-0-9 +()./]+$/;

/** Fewer digits are no proof that a national number is the end of an international one. */
const LEAST_NATIONAL = 7;

/** Digits alone, after a plus sign where the number has a country's prefix. */
function internationalForm(number: string): string {
  const digits = number.replace(/[^0-9+]/g, "").replace(/^00/, "+");
  return digits.startsWith("+") ? `+${digits.replaceAll("+", "")}` : digits;
}

function haveSameAttributes(attributes: Attributes, a: ObjectValue, b: ObjectValue): boolean {
  return locatedIn(attributes).every(({ name, attribute }) => same(attribute, a[name], b[name]));
}

function sameElements(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.some(isUnknown) || b.some(isUnknown)) return false;
  const first = new Set(a);
  const right = new Set(b);
  return first.size === right.size && [...first].every((element) => right.has(element));
}

/** True if a value says nothing: null, or a group of such values. */
export function isEmpty(value: Value): boolean {
  return value === null || (isObject(value) && Object.values(value).every(isEmpty));
}

// Masks: the service shows only a part of some values, such as `********4567` for a telephone number.

const MASK_CHARACTERS = /[*\u2022\u25cf]/;

/** Letters and number signs may be part of a value, so only a run of them in a text that is a number otherwise masks. */
const MASK_RUNS = /^[-0-9 +()./]*(?:x{2,}|X{2,}|#{2,})[-0-9xX# +()./]*$/;

export function isMasked(shownText: string): boolean {
  return MASK_CHARACTERS.test(shownText) || MASK_RUNS.test(shownText);
}

/**
 * True if the mask may hide this value: the characters before the first and after the last masked one begin and end the value. Blanks and
 * punctuation are no part of a number, so they do not count.
 */
export function maskFits(shownText: string, value: string): boolean {
  const bare = significant(value);
  const mark = MASK_CHARACTERS.test(shownText) ? MASK_CHARACTERS : /[xX#]/;
  const characters = [...shownText];
  const first = characters.findIndex((character) => mark.test(character));
  const last = characters.findLastIndex((character) => mark.test(character));
  if (!isMasked(shownText) || first === -1) return significant(shownText) === bare;
  const head = significant(characters.slice(0, first).join(""));
  const tail = significant(characters.slice(last + 1).join(""));
  return head.length + tail.length <= bare.length && bare.startsWith(head) && bare.endsWith(tail);
}

function significant(number: string): string {
  return number.replace(/[^0-9A-Za-z]/g, "");
}
