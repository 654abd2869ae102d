import { ExpressionFailed } from "../../errors";
import { isWhollyKnown, UNKNOWN } from "../../values";
import { bare } from "../unmark";
import type { FunctionDefinition } from "./definition";

/** The first argument that does not fail; while it isn't wholly known, it may still fail at apply. */
export const tryEach: FunctionDefinition = {
  name: "try",
  attempt(args) {
    for (const arg of args) {
      try {
        const value = arg();
        return isWhollyKnown(bare(value)) ? value : UNKNOWN;
      } catch (error) {
        if (!(error instanceof ExpressionFailed)) throw error;
      }
    }
    throw new ExpressionFailed(
      args.length === 0 ? "try: at least one argument is required" : "try: every argument fails",
    );
  },
};
