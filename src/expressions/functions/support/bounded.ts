import { ExpressionFailed } from "../../../errors";
import { MAX_ELEMENTS } from "../../limits";

/** @throws ExpressionFailed where a list is longer than any honest one. */
export function bounded<T>(list: readonly T[]): readonly T[] {
  if (list.length > MAX_ELEMENTS)
    throw new ExpressionFailed(`the list has more than ${MAX_ELEMENTS} elements`);
  return list;
}
