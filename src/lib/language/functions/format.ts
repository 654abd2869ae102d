/** Defines the functions that format values. */
import { expressionFailed } from "../../../problems";
import {
  collectionOf,
  type Decimal,
  formatDecimal,
  formatNumber,
  isList,
  isNumber,
  MAX_BITS,
  toDecimal,
  type Value,
} from "../../values";
import { convertOrFail } from "../convert";
import { MAX_TEXT } from "../limits";
import type { ExpressionFunction } from "../scope";
import { define } from "./define";
import { writeJson } from "./encoding";
import { rest, text, value } from "./parameters";
import { graphemes } from "./strings";

const format = define("format", [text("format"), rest(value("args"))], ([template, args]) =>
  formatText(template, args),
);

/** Formats element by element; an argument that is no list is used for every element. */
const formatlist = define("formatlist", [text("format"), rest(value("args"))], ([template, args]) => {
  const lists = args.filter(isList);
  const [length = 1, ...others] = lists.map((list) => list.length);
  if (others.some((other) => other !== length))
    throw expressionFailed.error("the lists are not of the same length");
  const texts = Array.from({ length }, (_unused, index) =>
    formatText(
      template,
      args.map((arg) => (isList(arg) ? (arg[index] ?? null) : arg)),
    ),
  );
  return collectionOf("string", texts);
});

// The verbs of `format`: `%s`, `%05.1f`, `%-10s`, `%[2]d`.

const VERB =
  /%(?:%|(?<flags>[-+ 0#]*)(?<width>\d*)(?:\.(?<precision>\d*))?(?:\[(?<position>\d+)\])?(?<letter>[A-Za-z]?))/g;

interface FormatVerb {
  readonly text: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

function formatText(template: string, args: readonly Value[]): string {
  let result = "";
  let end = 0;
  let next = 0;
  let highest = 0;
  for (const match of template.matchAll(VERB)) {
    result += template.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[0] === "%%") {
      result += "%";
      continue;
    }
    const verb = readVerb(match[0], match.groups ?? {});
    const position = match.groups?.["position"];
    if (position !== undefined) next = Number(position) - 1;
    const arg = args[next++];
    if (arg === undefined)
      throw expressionFailed.error(`the format needs argument ${next}, and there is none`);
    highest = Math.max(highest, next);
    result += pad(writeVerb(verb, arg), verb);
  }
  if (highest < args.length) throw expressionFailed.error("there are more arguments than the format uses");
  return result + template.slice(end);
}

function readVerb(text: string, groups: Readonly<Record<string, string | undefined>>): FormatVerb {
  const { flags = "", width = "", precision, letter = "" } = groups;
  if (letter === "") throw expressionFailed.error(`"${text}" in the format is not a verb`);
  if (Number(width) > MAX_TEXT) throw expressionFailed.error("the string becomes too long");
  return {
    text,
    flags,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    letter,
  };
}

function writeVerb(verb: FormatVerb, arg: Value): string {
  switch (verb.letter) {
    case "v":
      return plainArgument(verb, arg);
    case "s":
      return cut(argumentText(arg, verb), verb.precision);
    case "q":
      return writeJson(cut(argumentText(arg, verb), verb.precision));
    case "t":
      return writeJson(argument(arg, "bool", verb));
    case "d":
      return withSign(integer(arg, 10, verb), verb);
    case "b":
      return withSign(integer(arg, 2, verb), verb);
    case "o":
      return withSign(integer(arg, 8, verb), verb);
    case "x":
    case "X":
      return withSign(integer(arg, 16, verb), verb);
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return withSign(formatFraction(verb.letter, argumentNumber(arg, verb), verb.precision), verb);
    default:
      throw expressionFailed.error(`there is no verb "${verb.text}"`);
  }
}

function plainArgument(verb: FormatVerb, arg: Value): string {
  if (typeof arg === "string" && !verb.flags.includes("#")) return arg;
  if (isNumber(arg) && !verb.flags.includes("#")) return formatFraction("g", arg);
  return writeJson(arg);
}

function argument(arg: Value, type: "string" | "number" | "bool", verb: FormatVerb): Value {
  if (arg === null) throw expressionFailed.error(`the argument of "${verb.text}" is null`);
  return convertOrFail(arg, type) as Value;
}

function argumentText(arg: Value, verb: FormatVerb): string {
  return argument(arg, "string", verb) as string;
}

function argumentNumber(arg: Value, verb: FormatVerb): number | bigint {
  return argument(arg, "number", verb) as number | bigint;
}

const PREFIXES: ReadonlyMap<number, string> = new Map([
  [2, "0b"],
  [8, "0"],
  [16, "0x"],
]);

function integer(arg: Value, base: number, verb: FormatVerb): string {
  const value = argumentNumber(arg, verb);
  if (typeof value !== "bigint" && !Number.isInteger(value))
    throw expressionFailed.error("a whole number is required");
  const prefix = verb.flags.includes("#") ? (PREFIXES.get(base) ?? "") : "";
  const text = BigInt(value)
    .toString(base)
    .replace(/^-?/, (sign) => sign + prefix);
  return verb.letter === "X" ? text.toUpperCase() : text;
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : graphemes(text).slice(0, precision).join("");
}

function withSign(numeral: string, { flags }: FormatVerb): string {
  if (numeral.startsWith("-")) return numeral;
  return `${flags.includes("+") ? "+" : flags.includes(" ") ? " " : ""}${numeral}`;
}

function pad(text: string, { flags, width, letter }: FormatVerb): string {
  const padding = width - graphemes(text).length;
  if (padding <= 0 || letter === "t") return text;
  if (flags.includes("-")) return text + " ".repeat(padding);
  if (!flags.includes("0") || letter === "q") return " ".repeat(padding) + text;
  const [, sign = "", digits = ""] = /^([-+ ]?)(.*)$/s.exec(text) ?? [];
  return sign + "0".repeat(padding) + digits;
}

/** Numbers with a fraction or an exponent, as `%f`, `%e`, `%g` and `%v` write them. */
function formatFraction(
  letter: "f" | "e" | "E" | "g" | "G",
  value: number | bigint,
  precision?: number,
): string {
  const text = {
    f: () => fixedText(toDecimal(value), Math.min(precision ?? 6, 1000)),
    e: () => exponential(toDecimal(value), Math.min(precision ?? 6, 1000)),
    g: () => general(value, precision),
  }[letter.toLowerCase() as "f" | "e" | "g"]();
  const padded = text.replace(/e([-+])(\d)$/, "e$10$2");
  return letter === "E" || letter === "G" ? padded.toUpperCase() : padded;
}

/** As short as the value allows, and with an exponent where the number is large or small for its digits. */
function general(value: number | bigint, precision?: number): string {
  if (value === 0) return "0";
  const { digits, exponent } =
    precision === undefined ? exact(value) : roundTo(value, Math.max(1, Math.min(precision, 100)));
  const places = precision ?? 6;
  const limit =
    precision !== undefined && places > digits.length && digits.length > exponent ? digits.length : places;
  const sign = value < 0 ? "-" : "";
  if (exponent >= -4 && exponent < limit) return sign + plainFraction(digits, exponent);
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${sign}${digits.charAt(0)}${fraction}e${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}

interface Scientific {
  /** Significant digits, without zeros at the end. */
  readonly digits: string;
  /** Power of ten of the first digit. */
  readonly exponent: number;
}

function exact(value: number | bigint): Scientific {
  const [whole = "", fraction = ""] = formatNumber(value).replace("-", "").split(".");
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  return { digits: all.slice(leading).replace(/0+$/, ""), exponent: whole.length - leading - 1 };
}

function roundTo(value: number | bigint, precision: number): Scientific {
  const [mantissa = "", exponent] = Math.abs(Number(value))
    .toExponential(precision - 1)
    .split("e");
  return { digits: mantissa.replace(".", "").replace(/0+$/, ""), exponent: Number(exponent) };
}

function plainFraction(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, "0");
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/**
 * A number with this many places. Terraform holds fractions as binary numbers of 512 bits, which decides the rounding of a number half-way
 * between two others.
 */
function fixedText({ digits, scale }: Decimal, places: number): string {
  const shift = significantShift(digits, 10n ** BigInt(scale));
  const binary = divideRounding(digits << shift, 10n ** BigInt(scale));
  return formatDecimal({
    digits: divideRounding(binary * 10n ** BigInt(places), 1n << shift),
    scale: places,
  });
}

/** Bits to shift a dividend by, so that the quotient has as many bits as Terraform's numbers. */
function significantShift(dividend: bigint, divisor: bigint): bigint {
  const near = Math.max(0, MAX_BITS - bitLength(dividend) + bitLength(divisor));
  const excess = bitLength((dividend << BigInt(near)) / divisor) - MAX_BITS;
  return BigInt(Math.max(0, near - excess));
}

function bitLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(2).length;
}

/** To the nearest integer, and to the even one of two that are equally near. */
function divideRounding(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -divideRounding(-dividend, divisor);
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

/** A number with one digit before the point, so many places, and a power of ten. */
function exponential(decimal: Decimal, places: number): string {
  const { digits, scale } = decimal;
  if (digits === 0n) return `${fixedText(decimal, places)}e+0`;
  const size = (digits < 0n ? -digits : digits).toString().length;
  const exponent = size - scale - 1;
  // The same digits, with the point behind the first one.
  const text = fixedText({ digits, scale: size - 1 }, places);
  // Rounding may have made 10 of 9.99: one digit more than there should be.
  const carried = /^-?10/.test(text);
  const mantissa = carried ? fixedText({ digits: digits < 0n ? -1n : 1n, scale: 0 }, places) : text;
  const power = carried ? exponent + 1 : exponent;
  return `${mantissa}e${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

export const formatFunctions: readonly ExpressionFunction[] = [format, formatlist];
