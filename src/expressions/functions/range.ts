import { ExpressionFailed } from "../../errors";
import { isNumber } from "../../values";
import { applyBinary } from "../evaluation/operators";
import { MAX_RANGE } from "../limits";
import type { Marked } from "../marks";
import { collectionOf } from "../element-type";
import { define } from "./definition";
import { number, rest } from "./parameter";

/** `range(limit)`, `range(start, limit)`, `range(start, limit, step)`; the limit itself is left out. */
export const range = define("range", [rest(number("numbers"))], ([numbers]) => {
  if (numbers.length < 1 || numbers.length > 3)
    throw new ExpressionFailed("it takes one, two or three numbers");
  const [start, limit] = numbers.length === 1 ? [0, numbers[0] ?? 0] : [numbers[0] ?? 0, numbers[1] ?? 0];
  const step = numbers[2] ?? (start <= limit ? 1 : -1);
  if (step === 0) throw new ExpressionFailed("the step is zero");
  if (limit > start !== step > 0 && limit !== start)
    throw new ExpressionFailed("the step leads away from the limit");
  const elements: Marked[] = [];
  let next: Marked = start;
  while (isNumber(next) && (step > 0 ? next < limit : next > limit)) {
    if (elements.length === MAX_RANGE)
      throw new ExpressionFailed(`there are more than ${MAX_RANGE} numbers in the range`);
    elements.push(next);
    next = applyBinary("+", next, step);
  }
  return collectionOf("number", elements);
});
