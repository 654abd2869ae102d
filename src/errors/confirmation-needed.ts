import { TenancyError } from "./tenancy-error";

/** There is nobody who could be asked. */
export class ConfirmationNeeded extends TenancyError {
  static readonly code = "TENANCY_CONFIRMATION_NEEDED";
  static readonly explanation = `
Before the first write the plan is shown and a person is asked. That needs a terminal, both for input and for output, and no \`--json\`. In
a pipeline, pass \`--yes\`; what \`tenancy apply\` and \`tenancy destroy\` do can also be reviewed first, in a saved plan
(\`tenancy plan --out FILE\`, then \`tenancy apply FILE\`). Nothing was done.`;

  /** @param saving the command that saves a plan to be reviewed, where the verb can be put off in this way */
  constructor(verb: string, saving?: string) {
    const review =
      saving === undefined ? "" : `, or review a saved plan first: ${saving}, then tenancy apply FILE`;
    super(`\`tenancy ${verb}\` cannot ask without a terminal`, { advice: `Pass --yes${review}.` });
  }
}
