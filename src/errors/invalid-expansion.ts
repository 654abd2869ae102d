import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** `count` or `for_each` says nothing that instances could be made of. */
export class InvalidExpansion extends TenancyError {
  static readonly code = "TENANCY_INVALID_EXPANSION";
  static readonly explanation = `
\`count\` must be a whole number, and \`for_each\` a map or a set of strings; both must be known while planning, and not sensitive. What is
known only after apply, such as the id of an account that is to be created, cannot decide how many objects there are: use what you
declared instead, such as its name.`;

  constructor(argument: "count" | "for_each", problem: string, details: ErrorDetails = {}) {
    super(`${argument} cannot be used: ${problem}`, { attribute: [argument], ...details });
  }
}
