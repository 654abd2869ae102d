import { TenancyError } from "./tenancy-error";

/** There is nobody who could be asked. */
export class ConfirmationNeeded extends TenancyError {
  static readonly code = "TENANCY_CONFIRMATION_NEEDED";
  static readonly explanation = `
Before the first write the plan is shown and a person is asked. That needs a terminal, both for input and for output, and no \`--json\`. In
a pipeline, either apply a plan that was reviewed (\`tenancy plan --out FILE\`, then \`tenancy apply FILE\`), or pass \`--yes\`. Nothing was
done.`;

  constructor(verb: string) {
    super(`\`tenancy ${verb}\` cannot ask without a terminal`, {
      advice: `Pass --yes, or review a saved plan first: tenancy plan --out FILE, then tenancy apply FILE.`,
    });
  }
}
