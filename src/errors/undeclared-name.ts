import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** A name that stands for nothing declared: a user, a token, a right, a preset. */
export class UndeclaredName extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_NAME";
  static readonly explanation = `
The code names a user, a token, a right or a preset that does not exist, most often a misspelt one. In TypeScript the compiler finds
most of these; this error is for names that are made while the program runs.`;

  /**
   * @param sort as in "user"
   * @param within what has none of that name, as in `tenant "acme"`
   */
  constructor(sort: string, name: string, known: readonly string[], within?: string) {
    const near = nearest(name, known);
    const where = within === undefined ? "" : ` in ${within}`;
    super(`there is no ${sort} ${JSON.stringify(name)}${where}`, {
      advice:
        near !== undefined
          ? `Did you mean ${JSON.stringify(near)}?`
          : known.length === 0
            ? "None is declared."
            : `There are: ${known.slice(0, 60).join(", ")}.`,
    });
  }
}
