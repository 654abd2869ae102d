import { ExpressionFailed } from "../../errors";
import { defineStructural } from "./definition";
import { integer, list } from "./parameter";

/** Counts round and round: the element behind the last one is the first. */
export const element = defineStructural("element", [list("list"), integer("index")], ([elements, index]) => {
  if (elements.length === 0) throw new ExpressionFailed("the list is empty");
  return elements.at(index % elements.length) ?? null;
});
