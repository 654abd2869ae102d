import { ExpressionFailed } from "../../errors";
import { MAX_TEXT } from "../limits";
import { define } from "./definition";
import { integer, text } from "./parameter";

/** Puts spaces before every line but the first. */
export const indent = define("indent", [integer("spaces"), text("str")], ([spaces, str]) => {
  if (spaces < 0) throw new ExpressionFailed("the number of spaces is negative");
  const lines = str.split("\n");
  if (spaces * lines.length > MAX_TEXT) throw new ExpressionFailed("the string becomes too long");
  return lines.join(`\n${" ".repeat(spaces)}`);
});
