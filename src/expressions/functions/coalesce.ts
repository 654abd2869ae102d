import { ExpressionFailed } from "../../errors";
import { isUnknown } from "../../values";
import { convert } from "../conversions/convert";
import { typeOf } from "../conversions/type";
import { unify } from "../conversions/unify";
import { defineStructural } from "./definition";
import { anything, rest } from "./parameter";

/** The first argument that is neither null nor an empty text, as the type that all of them have in common. */
export const coalesce = defineStructural("coalesce", [rest(anything("vals"))], ([vals]) => {
  const type = unify(vals.map(typeOf));
  if (type === undefined) throw new ExpressionFailed("all arguments must have the same type");
  for (const candidate of vals) {
    if (isUnknown(candidate)) return candidate;
    const converted = convert(candidate, type);
    if (converted !== null && converted !== "") return converted;
  }
  throw new ExpressionFailed("all arguments are null or empty");
});
