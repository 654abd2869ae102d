import { ExpressionFailed } from "../../errors";
import { fromDouble } from "../decimal";
import { define } from "./definition";
import { number } from "./parameter";

export const pow = define("pow", [number("num"), number("power")], ([num, power]) => {
  const result = fromDouble(Number(num) ** Number(power));
  if (result === undefined) throw new ExpressionFailed("the power is not a finite number");
  return result;
});
