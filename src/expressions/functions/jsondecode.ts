import { ExpressionFailed } from "../../errors";
import { parseJson } from "../../values";
import { checkDepth } from "./support/depth";
import { define } from "./definition";
import { text } from "./parameter";

export const jsondecode = define("jsondecode", [text("str")], ([str]) => {
  checkDepth(str);
  try {
    return parseJson(str.normalize());
  } catch (error) {
    throw error instanceof SyntaxError ? new ExpressionFailed("this is not JSON", { cause: error }) : error;
  }
});
