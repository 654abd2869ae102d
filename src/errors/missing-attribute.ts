import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A required attribute is absent. */
export class MissingAttribute extends TenancyError {
  static readonly code = "TENANCY_MISSING_ATTRIBUTE";
  static readonly explanation = `
A required attribute is absent or null. The API refuses to create an object without it, so the plan refuses it first.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is required`, { advice: `Set "${name}".`, ...details });
  }
}
