import { ExpressionFailed } from "../../errors";
import { compareText } from "../text-order";
import { collectionOf } from "../element-type";
import { define } from "./definition";
import { textList } from "./parameter";

export const sort = define("sort", [textList("list")], ([elements]) => {
  if (elements.includes(null)) throw new ExpressionFailed("an element of the list is null");
  return collectionOf("string", elements.map(String).sort(compareText));
});
