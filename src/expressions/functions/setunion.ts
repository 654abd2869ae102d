import { combineSets } from "./support/sets";
import { define } from "./definition";
import { anySet, rest } from "./parameter";

export const setunion = define(
  "setunion",
  [anySet("first_set"), rest(anySet("other_sets"))],
  ([first, others]) => combineSets([first, ...others], (elements, other) => [...elements, ...other]),
);
