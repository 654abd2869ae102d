import { isUnknown, Unknown } from "../../values";
import { isSameType } from "../conversions/same-type";
import { elementTypeOf } from "../element-type";
import { isMarkedList, peel, type Marked, type MarkedObject } from "../marks";
import { ValueSet } from "../set";

/** Whether two values are equal, by type and content; undefined where only the apply will tell. */
export function areEqual(one: Marked, other: Marked): boolean | undefined {
  const a = peel(one);
  const b = peel(other);
  if (isUnknown(a) || isUnknown(b)) return nullAgainstUnknown(a, b);
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (!areOfOneKind(a, b)) return false;
  if (mayShrink(a) || mayShrink(b)) return undefined;
  if (isMarkedList(a) && isMarkedList(b)) {
    if (a.length !== b.length) return false;
    return every(a.map((element, index) => () => areEqual(element, b[index] ?? null)));
  }
  const [left, right] = [a as MarkedObject, b as MarkedObject];
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length || !names.every((name) => Object.hasOwn(right, name)))
    return false;
  return every(names.map((name) => () => areEqual(left[name] ?? null, right[name] ?? null)));
}

/** A list is no tuple, and a map no object. Of empty ones the type that elements would have counts. */
function areOfOneKind(a: object, b: object): boolean {
  if (Array.isArray(a) !== Array.isArray(b) || a instanceof ValueSet !== b instanceof ValueSet) return false;
  const [left, right] = [elementTypeOf(a), elementTypeOf(b)];
  if (left === undefined || right === undefined) return left === right;
  return Object.keys(a).length > 0 || isSameType(left, right);
}

/** What is unknown in a set may turn out to be there already. */
function mayShrink(value: object): boolean {
  return value instanceof ValueSet && !value.isWhole;
}

/** What is certain not to be null does not equal it, whatever it will be. */
function nullAgainstUnknown(a: Marked, b: Marked): boolean | undefined {
  const surely = (value: Marked) => value instanceof Unknown && value.notNull;
  return (a === null && surely(b)) || (b === null && surely(a)) ? false : undefined;
}

/** One difference decides, even beside parts that are not known. */
function every(comparisons: readonly (() => boolean | undefined)[]): boolean | undefined {
  let result: boolean | undefined = true;
  for (const compare of comparisons) {
    const part = compare();
    if (part === false) return false;
    if (part === undefined) result = undefined;
  }
  return result;
}
