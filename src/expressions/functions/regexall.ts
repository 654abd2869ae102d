import { matches } from "./support/regular-expression";
import { define } from "./definition";
import { text } from "./parameter";

export const regexall = define("regexall", [text("pattern"), text("string")], ([pattern, str]) => [
  ...matches(pattern, str),
]);
