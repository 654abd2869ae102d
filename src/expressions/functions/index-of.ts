import { ExpressionFailed } from "../../errors";
import { areEqual } from "../evaluation/equality";
import { define } from "./definition";
import { list, value } from "./parameter";

/** The position of the first element that equals the value. */
export const index = define("index", [list("list"), value("value")], ([elements, wanted]) => {
  const position = elements.findIndex((candidate) => areEqual(candidate, wanted) === true);
  if (position < 0) throw new ExpressionFailed("there is no such element in the list");
  return position;
});
