import { ExpressionFailed } from "../../errors";
import { defineStructural } from "./definition";
import { integer, anyList } from "./parameter";

export const chunklist = defineStructural(
  "chunklist",
  [anyList("list"), integer("size")],
  ([elements, size]) => {
    if (size < 0) throw new ExpressionFailed("the size is negative");
    if (elements.length === 0) return [];
    if (size === 0) return [elements];
    return Array.from({ length: Math.ceil(elements.length / size) }, (_unused, index) =>
      elements.slice(index * size, (index + 1) * size),
    );
  },
);
