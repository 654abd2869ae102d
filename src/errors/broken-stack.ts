import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** What the app synthesized is not what a synthesized stack looks like. */
export class BrokenStack extends TenancyError {
  static readonly code = "TENANCY_BROKEN_STACK";
  static readonly explanation = `
The files in the output folder (\`cdktf.out\`) are missing, not JSON, or not of the form in which CDKTF synthesizes stacks. Synthesize the
app again; with \`--skip-synth\`, make sure that the folder is the one that the app wrote.`;

  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, { advice: "Synthesize the app again.", ...details });
  }
}
