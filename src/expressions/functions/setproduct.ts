import { ExpressionFailed } from "../../errors";
import type { Value } from "../../values";
import type { Type } from "../conversions/type";
import { MAX_ELEMENTS } from "../limits";
import { collectionOf, elementTypeOf } from "../element-type";
import type { Marked } from "../marks";
import { makeSet, ValueSet } from "../set";
import { define } from "./definition";
import { rest, listOrSet } from "./parameter";

/** Every combination of one element of each, as a list; as a set, where one of them is a set. */
export const setproduct = define("setproduct", [rest(listOrSet("sets"))], ([sets]) => {
  if (sets.length < 2) throw new ExpressionFailed("at least two sets are required");
  if (sets.reduce((size, elements) => size * elements.length, 1) > MAX_ELEMENTS) {
    throw new ExpressionFailed("there are too many combinations");
  }
  const combinations = sets.reduce<readonly (readonly Marked[])[]>(
    (heads, elements) => heads.flatMap((head) => elements.map((element) => [...head, element])),
    [[]],
  );
  const element: Type = { kind: "tuple", elements: sets.map((elements) => elementTypeOf(elements) ?? "any") };
  return sets.some((elements) => elements instanceof ValueSet)
    ? makeSet(element, combinations as readonly Value[])
    : collectionOf<readonly Marked[]>(element, combinations);
});
