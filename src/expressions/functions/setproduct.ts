import { ExpressionFailed } from "../../errors";
import type { Value } from "../../values";
import { MAX_ELEMENTS } from "../limits";
import type { Marked } from "../marks";
import { makeSet, ValueSet } from "../set";
import { define } from "./definition";
import { rest, listOrSet } from "./parameter";

/** Every combination of one element of each; a set where all of them are sets. */
export const setproduct = define("setproduct", [rest(listOrSet("sets"))], ([sets]) => {
  if (sets.length < 2) throw new ExpressionFailed("at least two sets are required");
  if (sets.reduce((size, elements) => size * elements.length, 1) > MAX_ELEMENTS) {
    throw new ExpressionFailed("there are too many combinations");
  }
  const combinations = sets.reduce<readonly (readonly Marked[])[]>(
    (heads, elements) => heads.flatMap((head) => elements.map((element) => [...head, element])),
    [[]],
  );
  return sets.every((elements) => elements instanceof ValueSet)
    ? makeSet(combinations as readonly Value[])
    : combinations;
});
