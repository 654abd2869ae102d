/** Compares two values of an object, and lists their differences. */
import {
  equal,
  isList,
  isObject,
  isUnknown,
  NOT_IN_SNAPSHOT,
  type ObjectValue,
  type Value,
} from "../lib/values";
import type { Attribute, Attributes } from "./attribute";
import { type Located, locatedIn } from "./description";

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
export function diff(
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
  if (constraints.format === "phone" && typeof left === "string" && typeof right === "string")
    return samePhone(left, right);
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
