import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A value that the attribute cannot have. */
export class InvalidValue extends TenancyError {
  static readonly code = "TENANCY_INVALID_VALUE";
  static readonly explanation = `
A value is of the wrong type, too long or too short, not one of the values that the API knows, or contradicts another value. The
limits are those of the API (spec section 8); they are checked while planning, so that nothing half-done is left behind.`;

  /** @param problem what is wrong, as in "must be a whole number, not 1.5" */
  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, details);
  }
}
