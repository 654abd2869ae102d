import { ExpressionFailed } from "../../errors";
import { likewise } from "../element-type";
import { defineStructural } from "./definition";
import { integer, list } from "./parameter";

export const slice = defineStructural(
  "slice",
  [list("list"), integer("start_index"), integer("end_index")],
  ([elements, start, end]) => {
    if (start < 0 || end < start || end > elements.length) {
      throw new ExpressionFailed(`there is no slice from ${start} to ${end} in a list of ${elements.length}`);
    }
    return likewise(elements, elements.slice(start, end));
  },
);
