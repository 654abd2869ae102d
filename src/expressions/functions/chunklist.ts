import { ExpressionFailed } from "../../errors";
import { typeOf } from "../conversions/type";
import { collectionOf, likewise } from "../element-type";
import { defineStructural } from "./definition";
import { integer, anyList } from "./parameter";

export const chunklist = defineStructural(
  "chunklist",
  [anyList("list"), integer("size")],
  ([elements, size]) => {
    if (size < 0) throw new ExpressionFailed("the size is negative");
    const step = size === 0 ? Math.max(elements.length, 1) : size;
    const chunks = Array.from({ length: Math.ceil(elements.length / step) }, (_unused, index) =>
      likewise(elements, elements.slice(index * step, (index + 1) * step)),
    );
    return collectionOf(typeOf(elements), chunks);
  },
);
