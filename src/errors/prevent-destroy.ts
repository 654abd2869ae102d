import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A delete of something that the configuration protects with `prevent_destroy`. */
export class PreventDestroy extends TenancyError {
  static readonly code = "TENANCY_PREVENT_DESTROY";
  static readonly explanation = `
The object is declared with \`lifecycle { prevent_destroy = true }\`, and the plan would delete or replace it. Nothing was written.
Remove that setting if the delete is intended.`;

  constructor(key: string, details: ErrorDetails = {}) {
    super(`"${key}" would be deleted, but its lifecycle says prevent_destroy`, {
      advice: "Remove prevent_destroy if that is intended.",
      ...details,
    });
  }
}
