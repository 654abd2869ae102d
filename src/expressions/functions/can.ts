import { ExpressionFailed } from "../../errors";
import { isWhollyKnown, UNKNOWN } from "../../values";
import { allMarksOf, mark } from "../marks";
import { bare } from "../unmark";
import type { FunctionDefinition } from "./definition";

/** Whether the argument does not fail; while it isn't wholly known, nobody can say. */
export const can: FunctionDefinition = {
  name: "can",
  attempt([arg, ...more]) {
    if (arg === undefined || more.length > 0) throw new ExpressionFailed("can: it takes one argument");
    try {
      const value = arg();
      return mark(isWhollyKnown(bare(value)) ? true : UNKNOWN, allMarksOf(value));
    } catch (error) {
      if (error instanceof ExpressionFailed) return false;
      throw error;
    }
  },
};
