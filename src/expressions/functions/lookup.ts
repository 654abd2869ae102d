import { ExpressionFailed } from "../../errors";
import { defineStructural } from "./definition";
import { anything, mapping, optional, text } from "./parameter";

export const lookup = defineStructural(
  "lookup",
  [mapping("inputMap"), text("key"), optional(anything("default"))],
  ([map, key, fallback]) => {
    if (Object.hasOwn(map, key)) return map[key] ?? null;
    if (fallback !== undefined) return fallback;
    throw new ExpressionFailed(`there is no element with the key "${key}", and no default is given`);
  },
);
