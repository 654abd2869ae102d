import { TenancyError } from "./tenancy-error";

/** There is nobody who could be asked. */
export class ConfirmationNeeded extends TenancyError {
  static readonly code = "TENANCY_CONFIRMATION_NEEDED";
  static readonly explanation = `
Before the first write the plan is shown and a person is asked. That needs a terminal for what is read and for what is printed, and
events for people rather than \`--json\`. In a pipeline, either apply a plan that was reviewed (\`tenancy plan --out FILE\`, then
\`tenancy apply FILE\`), or say \`--yes\`. Nothing was done.`;

  constructor(verb: string) {
    super(`\`tenancy ${verb}\` cannot ask without a terminal`, {
      advice: `Pass --yes, or review a saved plan first: tenancy plan --out FILE, then tenancy apply FILE.`,
    });
  }
}
