import { ExpressionFailed } from "../../errors";
import { bounded } from "./support/bounded";
import { defineStructural } from "./definition";
import { rest, list } from "./parameter";

export const concat = defineStructural("concat", [rest(list("seqs"))], ([seqs]) => {
  if (seqs.length === 0) throw new ExpressionFailed("at least one list is required");
  return bounded(seqs.flat());
});
