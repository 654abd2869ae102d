import { likewise } from "../element-type";
import { sortedNames } from "../text-order";
import { defineStructural } from "./definition";
import { mapping } from "./parameter";

/** A list of a map's members, a tuple of an object's. */
export const values = defineStructural("values", [mapping("mapping")], ([map]) =>
  likewise(
    map,
    sortedNames(map).map((name) => map[name] ?? null),
  ),
);
