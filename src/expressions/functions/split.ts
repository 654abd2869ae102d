import { collectionOf } from "../element-type";
import { define } from "./definition";
import { text } from "./parameter";

export const split = define("split", [text("separator"), text("str")], ([separator, str]) => {
  return collectionOf("string", separator === "" ? [...str] : str.split(separator));
});
