import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: `permissions` grants a right that the API deprecates. */
export class DeprecatedRight extends TenancyError {
  static readonly code = "TENANCY_DEPRECATED_RIGHT";
  static readonly explanation = `
\`permissions\` grants a right that the API marks as deprecated. The right still works; a later version of the service may drop it. The
warning names the rights that took its place.`;

  constructor(right: string, advice: string, details: ErrorDetails = {}) {
    super(`the API deprecates the right "${right}"`, { advice, ...details });
  }
}
