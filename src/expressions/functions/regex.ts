import { ExpressionFailed } from "../../errors";
import { matches } from "./support/regular-expression";
import { define } from "./definition";
import { text } from "./parameter";

/** What the pattern's groups match: the text of the match without groups, a list of unnamed ones, an object of named ones. */
export const regex = define("regex", [text("pattern"), text("string")], ([pattern, str]) => {
  const [first] = matches(pattern, str);
  if (first === undefined) throw new ExpressionFailed("the pattern does not match the string");
  return first;
});
