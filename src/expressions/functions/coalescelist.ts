import { ExpressionFailed } from "../../errors";
import { defineStructural } from "./definition";
import { nullable, rest, sequence } from "./parameter";

/** The first list that is not empty. */
export const coalescelist = defineStructural("coalescelist", [rest(nullable(sequence("vals")))], ([vals]) => {
  const first = vals.find((candidate) => candidate !== null && candidate.length > 0);
  if (!first) throw new ExpressionFailed("all lists are null or empty");
  return first;
});
