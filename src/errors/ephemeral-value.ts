import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A value that nothing may keep was given to an attribute that is kept. */
export class EphemeralValue extends TenancyError {
  static readonly code = "TENANCY_EPHEMERAL_VALUE";
  static readonly explanation = `
A value from an ephemeral variable or an ephemeral resource exists for one run only. It may go into write-only attributes (their names end
in \`_wo\`) and into the provider's configuration; everything else is kept in state or shown in plans.`;

  constructor(attribute: string, details: ErrorDetails = {}) {
    super(`"${attribute}" is kept, so it cannot have an ephemeral value`, {
      advice: "Use a variable that is not ephemeral, or a write-only attribute.",
      ...details,
    });
  }
}
