import { nearest } from "../values";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The configuration names an attribute that the resource does not have. */
export class UnknownAttribute extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_ATTRIBUTE";
  static readonly explanation = `
The configuration sets an attribute that this resource does not have, most often a misspelt one. Attribute names are the API's
member names in snake_case, nested as the API nests them.`;

  constructor(name: string, known: readonly string[], details: ErrorDetails = {}) {
    const near = nearest(name, known);
    super(`there is no attribute "${name}" here`, {
      advice: near === undefined ? `The attributes are: ${known.join(", ")}.` : `Did you mean "${near}"?`,
      ...details,
    });
  }
}
