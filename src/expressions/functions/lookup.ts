import { ExpressionFailed } from "../../errors";
import { convert } from "../conversions/convert";
import { elementTypeOf } from "../element-type";
import { defineStructural } from "./definition";
import { anything, mapping, optional, text } from "./parameter";

/** The default for a map is converted to the type of its elements. */
export const lookup = defineStructural(
  "lookup",
  [mapping("inputMap"), text("key"), optional(anything("default"))],
  ([map, key, fallback]) => {
    if (Object.hasOwn(map, key)) return map[key] ?? null;
    if (fallback !== undefined) return convert(fallback, elementTypeOf(map) ?? "any");
    throw new ExpressionFailed(`there is no element with the key "${key}", and no default is given`);
  },
);
