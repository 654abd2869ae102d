import { ExpressionFailed } from "../../../errors";
import { MAX_DEPTH } from "../../limits";

/** @throws ExpressionFailed where brackets outside of quoted texts are nested too deeply. */
export function checkDepth(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\[^])*"|[[\]{}]/g)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > MAX_DEPTH)
      throw new ExpressionFailed(`the text is nested more than ${MAX_DEPTH} levels deep`);
  }
}
