import { define } from "./definition";
import { text } from "./parameter";

/** Takes all of the given characters off both ends. */
export const trim = define("trim", [text("str"), text("cutset")], ([str, cutset]) => {
  const characters = [...str];
  const cut = new Set(cutset);
  let start = 0;
  let end = characters.length;
  while (start < end && cut.has(characters[start] ?? "")) start++;
  while (end > start && cut.has(characters[end - 1] ?? "")) end--;
  return characters.slice(start, end).join("");
});
