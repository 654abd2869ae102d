import { sortedNames } from "../text-order";
import { defineStructural } from "./definition";
import { mapping } from "./parameter";

export const keys = defineStructural("keys", [mapping("inputMap")], ([map]) => sortedNames(map));
