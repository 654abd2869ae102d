import { ExpressionFailed } from "../../errors";
import { fromDouble } from "../decimal";
import { define } from "./definition";
import { number } from "./parameter";

export const log = define("log", [number("num"), number("base")], ([num, base]) => {
  const result = fromDouble(Math.log(Number(num)) / Math.log(Number(base)));
  if (result === undefined) throw new ExpressionFailed("the logarithm is not a finite number");
  return result;
});
