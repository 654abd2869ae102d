/** `format`'s verbs: `%s`, `%05.1f`, `%-10s`, `%[2]d`. */
import { ExpressionFailed } from "../../../errors";
import { isNumber, type Value } from "../../../values";
import { convert } from "../../conversions/convert";
import { MAX_TEXT } from "../../limits";
import { formatFraction } from "./format-fraction";
import { graphemes } from "./graphemes";
import { writeJson } from "./write-json";

const VERB =
  /%(?:%|(?<flags>[-+ 0#]*)(?<width>\d*)(?:\.(?<precision>\d*))?(?:\[(?<position>\d+)\])?(?<letter>[A-Za-z]?))/g;

interface Verb {
  readonly text: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

export function formatText(template: string, args: readonly Value[]): string {
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
    if (arg === undefined) throw new ExpressionFailed(`the format needs argument ${next}, and there is none`);
    highest = Math.max(highest, next);
    result += pad(write(verb, arg), verb);
  }
  if (highest < args.length) throw new ExpressionFailed("there are more arguments than the format uses");
  return result + template.slice(end);
}

function readVerb(text: string, groups: Readonly<Record<string, string | undefined>>): Verb {
  const { flags = "", width = "", precision, letter = "" } = groups;
  if (letter === "") throw new ExpressionFailed(`"${text}" in the format is not a verb`);
  if (Number(width) > MAX_TEXT) throw new ExpressionFailed("the string becomes too long");
  return {
    text,
    flags,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    letter,
  };
}

function write(verb: Verb, arg: Value): string {
  switch (verb.letter) {
    case "v":
      return plain(verb, arg);
    case "s":
      return cut(argumentText(arg, verb), verb.precision);
    case "q":
      return writeJson(cut(argumentText(arg, verb), verb.precision));
    case "t":
      return writeJson(argument(arg, "bool", verb));
    case "d":
      return signed(integer(arg, 10, verb), verb);
    case "b":
      return signed(integer(arg, 2, verb), verb);
    case "o":
      return signed(integer(arg, 8, verb), verb);
    case "x":
    case "X":
      return signed(integer(arg, 16, verb), verb);
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return signed(formatFraction(verb.letter, argumentNumber(arg, verb), verb.precision), verb);
    default:
      throw new ExpressionFailed(`there is no verb "${verb.text}"`);
  }
}

function plain(verb: Verb, arg: Value): string {
  if (typeof arg === "string" && !verb.flags.includes("#")) return arg;
  if (isNumber(arg) && !verb.flags.includes("#")) return formatFraction("g", arg);
  return writeJson(arg);
}

function argument(arg: Value, type: "string" | "number" | "bool", verb: Verb): Value {
  if (arg === null) throw new ExpressionFailed(`the argument of "${verb.text}" is null`);
  return convert(arg, type) as Value;
}

function argumentText(arg: Value, verb: Verb): string {
  return argument(arg, "string", verb) as string;
}

function argumentNumber(arg: Value, verb: Verb): number | bigint {
  return argument(arg, "number", verb) as number | bigint;
}

const PREFIXES: ReadonlyMap<number, string> = new Map([
  [2, "0b"],
  [8, "0"],
  [16, "0x"],
]);

function integer(arg: Value, base: number, verb: Verb): string {
  const value = argumentNumber(arg, verb);
  if (typeof value !== "bigint" && !Number.isInteger(value))
    throw new ExpressionFailed("a whole number is required");
  const prefix = verb.flags.includes("#") ? (PREFIXES.get(base) ?? "") : "";
  const text = BigInt(value)
    .toString(base)
    .replace(/^-?/, (sign) => sign + prefix);
  return verb.letter === "X" ? text.toUpperCase() : text;
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : graphemes(text).slice(0, precision).join("");
}

function signed(numeral: string, { flags }: Verb): string {
  if (numeral.startsWith("-")) return numeral;
  return `${flags.includes("+") ? "+" : flags.includes(" ") ? " " : ""}${numeral}`;
}

function pad(text: string, { flags, width, letter }: Verb): string {
  const missing = width - graphemes(text).length;
  if (missing <= 0 || letter === "t") return text;
  if (flags.includes("-")) return text + " ".repeat(missing);
  if (!flags.includes("0") || letter === "q") return " ".repeat(missing) + text;
  const [, sign = "", digits = ""] = /^([-+ ]?)(.*)$/s.exec(text) ?? [];
  return sign + "0".repeat(missing) + digits;
}
