import { sortedNames } from "../text-order";
import { defineStructural } from "./definition";
import { mapping } from "./parameter";

export const values = defineStructural("values", [mapping("mapping")], ([map]) =>
  sortedNames(map).map((name) => map[name] ?? null),
);
