import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** A name that stands for nothing declared: a user, a token, a right, a preset. */
export class UndeclaredName extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_NAME";
  static readonly explanation = `
The code names a user, a token, a right or a preset that does not exist, most often a misspelt one. In TypeScript the compiler finds
most of these; this error is for names that are made while the program runs.`;

  /** @param sort as in "user of tenant acme" */
  constructor(sort: string, name: string, known: readonly string[]) {
    const near = nearest(name, known);
    super(`there is no ${sort} ${JSON.stringify(name)}`, {
      advice:
        near !== undefined
          ? `Did you mean ${JSON.stringify(near)}?`
          : known.length === 0
            ? "None is declared."
            : `There are: ${known.slice(0, 60).join(", ")}.`,
    });
  }
}
