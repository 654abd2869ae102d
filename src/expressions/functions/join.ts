import { ExpressionFailed } from "../../errors";
import { MAX_TEXT } from "../limits";
import { define } from "./definition";
import { rest, text, textList } from "./parameter";

export const join = define("join", [text("separator"), rest(textList("lists"))], ([separator, lists]) => {
  if (lists.length === 0) throw new ExpressionFailed("at least one list is required");
  const items = lists.flat();
  if (items.includes(null)) throw new ExpressionFailed("an element of the list is null");
  if (separator.length * items.length > MAX_TEXT) throw new ExpressionFailed("the string becomes too long");
  return items.join(separator);
});
