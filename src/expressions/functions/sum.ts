import { ExpressionFailed } from "../../errors";
import { applyBinary } from "../evaluation/operators";
import type { Marked } from "../marks";
import { define } from "./definition";
import { numberList } from "./parameter";

export const sum = define("sum", [numberList("list")], ([numbers]) => {
  if (numbers.length === 0) throw new ExpressionFailed("the sum of no numbers is not defined");
  if (numbers.includes(null)) throw new ExpressionFailed("a number in the list is null");
  return numbers.reduce<Marked>((total, addend) => applyBinary("+", total, addend), 0);
});
