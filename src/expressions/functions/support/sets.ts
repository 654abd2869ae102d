import { ExpressionFailed } from "../../../errors";
import type { Value } from "../../../values";
import { convert } from "../../conversions/convert";
import { unify } from "../../conversions/unify";
import { elementTypeOf } from "../../element-type";
import { makeSet, type ValueSet } from "../../set";
import { writeJson } from "./write-json";

/** What a set holds, to look elements up in. */
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
export function combineSets(
  sets: readonly ValueSet[],
  combine: (elements: readonly Value[], other: readonly Value[], held: Holdings) => readonly Value[],
): ValueSet {
  const element = unify(sets.map((set) => elementTypeOf(set) ?? "any"));
  if (element === undefined) throw new ExpressionFailed("the sets must have elements of the same type");
  const [first = [], ...others] = sets.map(
    (set) => convert(set, { kind: "set", element }) as readonly Value[],
  );
  return makeSet(
    element,
    others.reduce((elements, other) => combine(elements, other, new Holdings(other)), first),
  );
}
