import { define } from "./definition";
import { text } from "./parameter";

export const split = define("split", [text("separator"), text("str")], ([separator, str]) => {
  if (separator === "") return [...str];
  return str.split(separator);
});
