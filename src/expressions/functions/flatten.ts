import { isUnknown, UNKNOWN } from "../../values";
import { isMarkedList, mark, marksOf, NO_MARKS, peel, type Marked, type Marks } from "../marks";
import { bounded } from "./support/bounded";
import { defineStructural } from "./definition";
import { sequence } from "./parameter";

/** Lists in lists, at any depth, become one list. */
export const flatten = defineStructural("flatten", [sequence("list")], ([elements]) => {
  const flat: Marked[] = [];
  let marks: Marks = NO_MARKS;
  let unknown = false;
  const gather = (parts: readonly Marked[]): void => {
    for (const part of parts) {
      const bare = peel(part);
      if (isMarkedList(bare)) {
        marks |= marksOf(part);
        gather(bare);
      } else flat.push(part);
      // What is not known yet may turn out to be a list, of any length.
      unknown ||= isUnknown(bare);
    }
  };
  gather(elements);
  return mark(unknown ? UNKNOWN : bounded(flat), marks);
});
