import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A file is not a plan that can be applied. */
export class BrokenPlan extends TenancyError {
  static readonly code = "TENANCY_BROKEN_PLAN";
  static readonly explanation = `
\`tenancy apply FILE\` takes a file that \`tenancy plan --out FILE\` wrote, unchanged, in a release that knows the same format. Nothing was
sent. Make a new plan.`;

  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, { advice: "Make a new one: tenancy plan --out FILE.", ...details });
  }
}
