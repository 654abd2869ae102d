import { combineSets } from "./support/sets";
import { define } from "./definition";
import { anySet, rest } from "./parameter";

export const setintersection = define(
  "setintersection",
  [anySet("first_set"), rest(anySet("other_sets"))],
  ([first, others]) =>
    combineSets([first, ...others], (elements, _other, held) =>
      elements.filter((element) => held.has(element)),
    ),
);
