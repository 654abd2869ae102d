/** Defines the functions of strings. */
import { expressionFailed } from "../../../problems";
import { MAX_TEXT } from "../limits";
import type { ExpressionFunction } from "../scope";
import { collectionOf } from "../../values";
import { define } from "./define";
import { integer, rest, text, textList } from "./parameters";
import { replaceMatches } from "./regular-expressions";

const chomp = define("chomp", [text("str")], ([str]) => str.replace(/[\r\n]+$/, ""));

const endswith = define("endswith", [text("str"), text("suffix")], ([str, suffix]) => str.endsWith(suffix));

/** Puts spaces before every line but the first. */
const indent = define("indent", [integer("spaces"), text("str")], ([spaces, str]) => {
  if (spaces < 0) throw expressionFailed.error("the number of spaces is negative");
  const lines = str.split("\n");
  if (spaces * lines.length > MAX_TEXT) throw expressionFailed.error("the string becomes too long");
  return lines.join(`\n${" ".repeat(spaces)}`);
});

const join = define("join", [text("separator"), rest(textList("lists"))], ([separator, lists]) => {
  if (lists.length === 0) throw expressionFailed.error("at least one list is required");
  const items = lists.flat();
  if (items.includes(null)) throw expressionFailed.error("an element of the list is null");
  if (separator.length * items.length > MAX_TEXT) throw expressionFailed.error("the string becomes too long");
  return items.join(separator);
});

const lower = define("lower", [text("str")], ([str]) =>
  mapLetters(str, (letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0)),
);

/** A pattern between slashes is a regular expression, and `$1` or `${name}` in the replacement its groups. */
const replace = define(
  "replace",
  [text("str"), text("substr"), text("replace")],
  ([str, part, replacement]) => {
    const pattern = /^\/(.*)\/$/s.exec(part)?.[1];
    if (part.length > 1 && pattern !== undefined) return replaceMatches(str, pattern, replacement);
    const pieces = part === "" ? ["", ...str, ""] : str.split(part);
    if (replacement.length * pieces.length > MAX_TEXT)
      throw expressionFailed.error("the string becomes too long");
    return pieces.join(replacement);
  },
);

const split = define("split", [text("separator"), text("str")], ([separator, str]) => {
  return collectionOf("string", separator === "" ? [...str] : str.split(separator));
});

const startswith = define("startswith", [text("str"), text("prefix")], ([str, prefix]) =>
  str.startsWith(prefix),
);

const strcontains = define("strcontains", [text("str"), text("substr")], ([str, part]) => str.includes(part));

const strrev = define("strrev", [text("str")], ([str]) => graphemes(str).reverse().join(""));

/** Counts in characters as people see them; a negative offset counts from the end, a negative length means the rest. */
const substr = define(
  "substr",
  [text("str"), integer("offset"), integer("length")],
  ([str, offset, length]) => {
    const characters = graphemes(str);
    const start = offset < 0 ? characters.length + offset : offset;
    const from = Math.min(Math.max(0, start), characters.length);
    return characters.slice(from, length < 0 ? undefined : from + length).join("");
  },
);

/** The first letter of each word in upper case; in ASCII, everything but letters, digits and `_` ends a word. */
const title = define("title", [text("str")], ([str]) =>
  str.replace(
    /(^|[^A-Za-z0-9_\u0080-\u{10ffff}]|\s)(\p{L})/gu,
    (_match, before: string, letter: string) => before + toUpper(letter),
  ),
);

/** Takes all of the given characters off both ends. */
const trim = define("trim", [text("str"), text("cutset")], ([str, cutset]) => {
  const characters = [...str];
  const cut = new Set(cutset);
  let start = 0;
  let end = characters.length;
  while (start < end && cut.has(characters[start] ?? "")) start++;
  while (end > start && cut.has(characters[end - 1] ?? "")) end--;
  return characters.slice(start, end).join("");
});

const trimprefix = define("trimprefix", [text("str"), text("prefix")], ([str, prefix]) =>
  str.startsWith(prefix) ? str.slice(prefix.length) : str,
);

const trimspace = define("trimspace", [text("str")], ([str]) =>
  str.replace(/^[\s\u0085]+|[\s\u0085]+$/g, ""),
);

const trimsuffix = define("trimsuffix", [text("str"), text("suffix")], ([str, suffix]) =>
  str.endsWith(suffix) ? str.slice(0, str.length - suffix.length) : str,
);

const upper = define("upper", [text("str")], ([str]) => toUpper(str));

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as people count them: a letter with its accents is one. */
export function graphemes(text: string): string[] {
  // eslint-disable-next-line no-control-regex -- of ASCII only CR LF is one character
  if (/^[\x00-\x0c\x0e-\x7f]*$/.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Case of letters, one by one: a letter that would become several letters stays, as in Terraform. */
function toUpper(text: string): string {
  return mapLetters(text, (letter) =>
    [...letter.toUpperCase()].length === 1 ? letter.toUpperCase() : letter,
  );
}

function mapLetters(text: string, change: (letter: string) => string): string {
  return Array.from(text, change).join("");
}

export const stringFunctions: readonly ExpressionFunction[] = [
  chomp,
  endswith,
  indent,
  join,
  lower,
  replace,
  split,
  startswith,
  strcontains,
  strrev,
  substr,
  title,
  trim,
  trimprefix,
  trimspace,
  trimsuffix,
  upper,
];
