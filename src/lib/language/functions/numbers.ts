/** Defines the functions of numbers. */
import { expressionFailed } from "../../../problems";
import { fromDouble, type Marked, normalNumber } from "../../values";
import { applyBinary } from "../operators";
import type { ExpressionFunction } from "../scope";
import { define } from "./define";
import { integer, number, numberList, rest, text } from "./parameters";

const abs = define("abs", [number("num")], ([num]) => (num < 0 ? normalNumber(-num) : num));

const ceil = define("ceil", [number("num")], ([num]) => (typeof num === "bigint" ? num : Math.ceil(num) + 0));

const floor = define("floor", [number("num")], ([num]) => (typeof num === "bigint" ? num : Math.floor(num)));

const log = define("log", [number("num"), number("base")], ([num, base]) => {
  const result = fromDouble(Math.log(Number(num)) / Math.log(Number(base)));
  if (result === undefined) throw expressionFailed.error("the logarithm is not a finite number");
  return result;
});

const max = define("max", [rest(number("numbers"))], ([numbers]) => {
  if (numbers.length === 0) throw expressionFailed.error("at least one number is required");
  return numbers.reduce((best, candidate) => (candidate > best ? candidate : best));
});

const min = define("min", [rest(number("numbers"))], ([numbers]) => {
  if (numbers.length === 0) throw expressionFailed.error("at least one number is required");
  return numbers.reduce((best, candidate) => (candidate < best ? candidate : best));
});

const BASE_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Up to base 36 the case of letters does not matter. */
const parseint = define("parseint", [text("number"), integer("base")], ([numeral, base]) => {
  if (base < 2 || base > 62) throw expressionFailed.error("the base must be from 2 to 62");
  const [, sign = "", digits = ""] = /^([-+]?)(.+)$/.exec(base <= 36 ? numeral.toLowerCase() : numeral) ?? [];
  if (digits === "" || digits.length > MAX_DIGITS)
    throw expressionFailed.error(`this is not a whole number in base ${base}`);
  let result = 0n;
  for (const digit of digits) {
    const worth = BASE_DIGITS.indexOf(digit);
    if (worth < 0 || worth >= base)
      throw expressionFailed.error(`this is not a whole number in base ${base}`);
    result = result * BigInt(base) + BigInt(worth);
  }
  return normalNumber(sign === "-" ? -result : result);
});

const MAX_DIGITS = 1000;

const pow = define("pow", [number("num"), number("power")], ([num, power]) => {
  const result = fromDouble(Number(num) ** Number(power));
  if (result === undefined) throw expressionFailed.error("the power is not a finite number");
  return result;
});

const signum = define("signum", [integer("num")], ([num]) => Math.sign(num));

const sum = define("sum", [numberList("list")], ([numbers]) => {
  if (numbers.length === 0) throw expressionFailed.error("the sum of no numbers is not defined");
  if (numbers.includes(null)) throw expressionFailed.error("a number in the list is null");
  return numbers.reduce<Marked>((total, addend) => applyBinary("+", total, addend), 0);
});

export const numberFunctions: readonly ExpressionFunction[] = [
  abs,
  ceil,
  floor,
  log,
  max,
  min,
  parseint,
  pow,
  signum,
  sum,
];
