import { define } from "./definition";
import { text } from "./parameter";
import { toUpper } from "./support/letter-case";

/** The first letter of each word in upper case; in ASCII, everything but letters, digits and `_` ends a word. */
export const title = define("title", [text("str")], ([str]) =>
  str.replace(
    /(^|[^A-Za-z0-9_\u0080-\u{10ffff}]|\s)(\p{L})/gu,
    (_match, before: string, letter: string) => before + toUpper(letter),
  ),
);
