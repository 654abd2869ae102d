import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The same object is declared, and declared to be removed. */
export class RemovedAndDeclared extends TenancyError {
  static readonly code = "TENANCY_REMOVED_AND_DECLARED";
  static readonly explanation = `
The configuration declares an object, and also says with \`new Removed(…)\` that it, or the account that it is in, is to be deleted. One of
the two has to go.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is declared, and also to be removed`, {
      advice: "Remove either the declaration or the Removed.",
      ...details,
    });
  }
}
