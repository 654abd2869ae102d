import { ExpressionFailed } from "../../errors";
import { MAX_TEXT } from "../limits";
import { replaceMatches } from "./support/regular-expression";
import { define } from "./definition";
import { text } from "./parameter";

/** A pattern between slashes is a regular expression, and `$1` or `${name}` in the replacement its groups. */
export const replace = define(
  "replace",
  [text("str"), text("substr"), text("replace")],
  ([str, part, replacement]) => {
    const pattern = /^\/(.*)\/$/s.exec(part)?.[1];
    if (part.length > 1 && pattern !== undefined) return replaceMatches(str, pattern, replacement);
    const pieces = part === "" ? ["", ...str, ""] : str.split(part);
    if (replacement.length * pieces.length > MAX_TEXT)
      throw new ExpressionFailed("the string becomes too long");
    return pieces.join(replacement);
  },
);
