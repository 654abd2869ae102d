import { ExpressionFailed } from "../../errors";
import { define } from "./definition";
import { number, rest } from "./parameter";

export const max = define("max", [rest(number("numbers"))], ([numbers]) => {
  if (numbers.length === 0) throw new ExpressionFailed("at least one number is required");
  return numbers.reduce((best, candidate) => (candidate > best ? candidate : best));
});
