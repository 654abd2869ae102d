import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** \`each\`, \`count\` or \`self\` stands where it means nothing. */
export class MisplacedReference extends TenancyError {
  static readonly code = "TENANCY_MISPLACED_REFERENCE";
  static readonly explanation = `
\`each.key\` and \`each.value\` have a value only in a block with \`for_each\`, \`count.index\` only in a block with \`count\`, and \`self\`
only in a postcondition.`;

  constructor(reference: string, needs: string, details: ErrorDetails = {}) {
    super(`"${reference}" means something only ${needs}`, {
      advice: `Use it there, or write the value itself here.`,
      ...details,
    });
  }
}
