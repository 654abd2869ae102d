import { ExpressionFailed } from "../../errors";
import { defineStructural } from "./definition";
import { sequence } from "./parameter";

/** The only element; null where there is none. */
export const one = defineStructural("one", [sequence("list")], ([elements]) => {
  if (elements.length > 1) throw new ExpressionFailed("there is more than one element");
  return elements[0] ?? null;
});
