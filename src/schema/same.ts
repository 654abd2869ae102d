/** When two values of one attribute are the same: sets by their elements, all else in order. */
import { equal, isList, isObject, isUnknown, type ObjectValue, type Value } from "../values";
import type { Attribute, Attributes } from "./attribute";
import { locatedIn } from "./located";

/** An unknown is the same as nothing, itself included. Absent and null are the same. */
export function same(attribute: Attribute, a: Value | undefined, b: Value | undefined): boolean {
  const left = a ?? null;
  const right = b ?? null;
  if (left === right) return !isUnknown(left);
  const { shape } = attribute;
  if (shape.kind === "set" && isList(left) && isList(right)) return sameElements(left, right);
  if (shape.kind === "group" && isObject(left) && isObject(right)) {
    return haveSameMembers(shape.attributes, left, right);
  }
  if (shape.kind === "groups" && isList(left) && isList(right)) {
    return (
      left.length === right.length &&
      left.every((element, index) => {
        const other = right[index];
        return isObject(element) && isObject(other) && haveSameMembers(shape.attributes, element, other);
      })
    );
  }
  return equal(left, right);
}

function haveSameMembers(attributes: Attributes, a: ObjectValue, b: ObjectValue): boolean {
  return locatedIn(attributes).every(({ name, attribute }) => same(attribute, a[name], b[name]));
}

function sameElements(a: readonly Value[], b: readonly Value[]): boolean {
  if (a.some(isUnknown) || b.some(isUnknown)) return false;
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && [...left].every((element) => right.has(element));
}
