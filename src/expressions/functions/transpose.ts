import { ExpressionFailed } from "../../errors";
import { convert } from "../conversions/convert";
import { isMarkedList } from "../marks";
import { sortedNames } from "../text-order";
import { collectionOf } from "../element-type";
import { define } from "./definition";
import { mapping } from "./parameter";

/** A map of lists of texts, turned round: each text with the sorted keys that had it. */
export const transpose = define("transpose", [mapping("values")], ([map]) => {
  const turned = Object.create(null) as Record<string, string[]>;
  for (const name of sortedNames(map)) {
    const texts = convert(map[name] ?? null, { kind: "list", element: "string" });
    if (!isMarkedList(texts) || texts.includes(null))
      throw new ExpressionFailed("each member must be a list of strings");
    for (const text of texts as readonly string[])
      (turned[text] ??= collectionOf<string[]>("string", [])).push(name);
  }
  return collectionOf({ kind: "list", element: "string" }, turned);
});
