/** Defines the functions of sets. */
import { expressionFailed } from "../../../problems";
import {
  collectionOf,
  elementTypeOf,
  makeSet,
  type Marked,
  type Type,
  unify,
  type Value,
  ValueSet,
} from "../../values";
import { convertOrFail } from "../convert";
import { MAX_ELEMENTS } from "../limits";
import type { ExpressionFunction } from "../scope";
import { define } from "./define";
import { writeJson } from "./encoding";
import { anySet, listOrSet, rest } from "./parameters";

const setintersection = define(
  "setintersection",
  [anySet("first_set"), rest(anySet("other_sets"))],
  ([first, others]) =>
    combineSets([first, ...others], (elements, _other, holdings) =>
      elements.filter((element) => holdings.has(element)),
    ),
);

/** Every combination of one element of each, as a list; as a set, where one of them is a set. */
const setproduct = define("setproduct", [rest(listOrSet("sets"))], ([sets]) => {
  if (sets.length < 2) throw expressionFailed.error("at least two sets are required");
  if (sets.reduce((size, elements) => size * elements.length, 1) > MAX_ELEMENTS) {
    throw expressionFailed.error("there are too many combinations");
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

const setsubtract = define("setsubtract", [anySet("a"), anySet("b")], ([a, b]) =>
  combineSets([a, b], (elements, _other, holdings) => elements.filter((element) => !holdings.has(element))),
);

const setunion = define("setunion", [anySet("first_set"), rest(anySet("other_sets"))], ([first, others]) =>
  combineSets([first, ...others], (elements, other) => [...elements, ...other]),
);

/** The elements of a set, to look them up in. */
export class Holdings {
  private readonly texts: ReadonlySet<string>;

  constructor(elements: readonly Value[]) {
    this.texts = new Set(elements.map(writeJson));
  }

  has(element: Value): boolean {
    return this.texts.has(writeJson(element));
  }
}

/** Brings all sets to one type of elements, and combines the first with each other in turn. */
function combineSets(
  sets: readonly ValueSet[],
  combine: (elements: readonly Value[], other: readonly Value[], holdings: Holdings) => readonly Value[],
): ValueSet {
  const element = unify(sets.map((set) => elementTypeOf(set) ?? "any"));
  if (element === undefined) throw expressionFailed.error("the sets must have elements of the same type");
  const [first = [], ...others] = sets.map(
    (set) => convertOrFail(set, { kind: "set", element }) as readonly Value[],
  );
  return makeSet(
    element,
    others.reduce((elements, other) => combine(elements, other, new Holdings(other)), first),
  );
}

export const setFunctions: readonly ExpressionFunction[] = [
  setintersection,
  setproduct,
  setsubtract,
  setunion,
];
