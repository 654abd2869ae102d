import { ExpressionFailed } from "../../../errors";
import { MAX_DEPTH } from "../../limits";

/** @throws ExpressionFailed where brackets outside of quoted texts are nested too deeply. */
export function checkDepth(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > MAX_DEPTH)
      throw new ExpressionFailed(`the string is nested more than ${MAX_DEPTH} levels deep`);
  }
}

/** @throws ExpressionFailed where the indentation of YAML leaves room for more levels than there may be. */
export function checkIndentation(text: string): void {
  for (const [structure] of text.matchAll(/^(?: |[-?:](?=\s))+/gm)) {
    if (structure.length > 2 * MAX_DEPTH) {
      throw new ExpressionFailed(`a line is indented by more than ${2 * MAX_DEPTH} columns`);
    }
  }
}
