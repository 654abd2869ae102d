/**
 * What makes an array a list, and an object a map: all elements are of one type, which is noted here. Where nothing is noted, an array is a
 * tuple, and an object just that: each part of it has a type of its own. A set knows by itself.
 */
import type { Type } from "./conversions/type";
import { ValueSet } from "./set";

const elementTypes = new WeakMap<object, Type>();

/** Makes a list or map of something new, whose elements are of that type already. */
export function collectionOf<T extends object>(element: Type, members: T): T {
  elementTypes.set(members, element);
  return members;
}

/** Makes a list or map of something new, with elements of the same type, where the original is a collection. */
export function likewise<T extends object>(original: object, members: T): T {
  const element = elementTypeOf(original);
  return element === undefined ? members : collectionOf(element, members);
}

/** Undefined where each part has a type of its own. */
export function elementTypeOf(collection: object): Type | undefined {
  return collection instanceof ValueSet ? collection.element : elementTypes.get(collection);
}
