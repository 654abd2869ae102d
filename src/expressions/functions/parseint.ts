import { ExpressionFailed } from "../../errors";
import { normalNumber } from "../../values";
import { define } from "./definition";
import { integer, text } from "./parameter";

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Up to base 36 the case of letters does not matter. */
export const parseint = define("parseint", [text("number"), integer("base")], ([numeral, base]) => {
  if (base < 2 || base > 62) throw new ExpressionFailed("the base must be from 2 to 62");
  const [, sign = "", digits = ""] = /^([-+]?)(.+)$/.exec(base <= 36 ? numeral.toLowerCase() : numeral) ?? [];
  if (digits === "" || digits.length > MAX_DIGITS)
    throw new ExpressionFailed(`this is not a whole number in base ${base}`);
  let result = 0n;
  for (const digit of digits) {
    const worth = DIGITS.indexOf(digit);
    if (worth < 0 || worth >= base) throw new ExpressionFailed(`this is not a whole number in base ${base}`);
    result = result * BigInt(base) + BigInt(worth);
  }
  return normalNumber(sign === "-" ? -result : result);
});

const MAX_DIGITS = 1000;
