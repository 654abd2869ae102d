import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A saved plan no longer fits: the service, the stack or the variables have moved on since it was made. */
export class PlanOutdated extends TenancyError {
  static readonly code = "TENANCY_PLAN_OUTDATED";
  static readonly explanation = `
\`tenancy apply FILE\` plans anew and goes on only if everything is as it was when the file was written: origin, owner, flags, the
synthesized stack, and for each object its id, uuid, action and managed values before and after. Something has changed. Nothing was written.
Make a new plan, and have it reviewed again.`;

  constructor(differences: readonly string[], details: ErrorDetails = {}) {
    const some = differences.slice(0, 5).join(", ");
    super(
      `the saved plan is out of date: ${some}${differences.length > 5 ? ` and ${differences.length - 5} more` : ""} changed since`,
      {
        advice: "Nothing was written. Make a new plan.",
        ...details,
      },
    );
  }
}
