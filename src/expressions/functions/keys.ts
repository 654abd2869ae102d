import { collectionOf, elementTypeOf } from "../element-type";
import { sortedNames } from "../text-order";
import { defineStructural } from "./definition";
import { mapping } from "./parameter";

/** A list of a map's keys, a tuple of an object's. */
export const keys = defineStructural("keys", [mapping("inputMap")], ([map]) => {
  const names = sortedNames(map);
  return elementTypeOf(map) === undefined ? names : collectionOf("string", names);
});
