import { TenancyError } from "./tenancy-error";

/** The command of a credential helper cannot be split into a program and its arguments. */
export class UnfitHelperCommand extends TenancyError {
  static readonly code = "TENANCY_HELPER_COMMAND";
  static readonly explanation = `
What \`--credential-helper\` gives is split as a shell would, at white space, save where quotes or a backslash say otherwise. It has to name
a program, and every quote has to be closed.`;

  /** @param problem as in "it is empty"; the command itself may hold secrets */
  constructor(problem: string) {
    super(`the command of the credential helper cannot be used: ${problem}`, {
      advice: "Write the program and its arguments: --credential-helper 'my-helper --profile ci'.",
    });
  }
}
