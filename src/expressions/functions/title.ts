import { define } from "./definition";
import { text } from "./parameter";
import { toUpper } from "./support/letter-case";

/** The first letter of each word in upper case; in ASCII, everything but letters, digits and `_` ends a word. */
export const title = define("title", [text("str")], ([str]) =>
  str.replace(
    /(^|[\p{ASCII}--[0-9A-Za-z_]]|\s)(\p{L})/gv,
    (_match, before: string, letter: string) => before + toUpper(letter),
  ),
);
