import { ExpressionFailed } from "../../errors";
import { emptyObject, isWhollyKnown, UNKNOWN } from "../../values";
import { convert } from "../conversions/convert";
import { likewise } from "../element-type";
import { allMarksOf, mark, peel, type Marked } from "../marks";
import { bare } from "../unmark";
import { defineStructural } from "./definition";
import { list } from "./parameter";

/** A map where the values are a list, an object where they are a tuple. */
export const zipmap = defineStructural("zipmap", [list("keys"), list("values")], ([keys, members]) => {
  if (keys.length !== members.length) throw new ExpressionFailed("there must be as many values as keys");
  if (!isWhollyKnown(bare(keys))) return mark(UNKNOWN, allMarksOf(keys));
  const map: Record<string, Marked> = emptyObject();
  keys.forEach((key, position) => {
    const name = convert(peel(key), "string");
    if (typeof name !== "string") throw new ExpressionFailed("a key is null");
    map[name] = members[position] ?? null;
  });
  return mark(likewise(members, map), allMarksOf(keys));
});
