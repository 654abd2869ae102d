import { UNKNOWN } from "../../values";
import { areEqual } from "../evaluation/equality";
import { allMarksOf, mark } from "../marks";
import { defineStructural } from "./definition";
import { anything, sequence } from "./parameter";

export const contains = defineStructural(
  "contains",
  [sequence("list"), anything("value")],
  ([elements, wanted]) => {
    const answers = elements.map((element) => areEqual(element, wanted));
    const marks = allMarksOf(elements) | allMarksOf(wanted);
    if (answers.includes(true)) return mark(true, marks);
    return mark(answers.includes(undefined) ? UNKNOWN : false, marks);
  },
);
