import { nearest } from "../values";
import { TenancyError } from "./tenancy-error";

/** The stack has no such output, or it has no value that could be printed. */
export class UnknownOutput extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_OUTPUT";
  static readonly explanation = `
The stack declares no output of that name, its value is known only after an apply, or \`--raw\` was given for a value that is not a string,
number or boolean. \`tenancy output\` lists all outputs.`;

  /** @param problem as in "the stack has no output \"x\"" */
  constructor(problem: string, advice: string) {
    super(problem, { advice });
  }

  static absent(name: string, known: readonly string[]): UnknownOutput {
    const near = nearest(name, known);
    const advice =
      near === undefined ? `There are: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
    return new UnknownOutput(`the stack has no output "${name}"`, advice);
  }
}
