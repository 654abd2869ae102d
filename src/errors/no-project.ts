import { TenancyError } from "./tenancy-error";

/** There is no usable `cdktf.json` in the folder. */
export class NoProject extends TenancyError {
  static readonly code = "TENANCY_NO_PROJECT";
  static readonly explanation = `
The command works on the project in the current folder: there must be a \`cdktf.json\`, a JSON object whose member \`app\` is the
command that synthesizes the stacks, for example \`{"language": "typescript", "app": "npx tsx main.ts"}\`. \`output\` names the folder
that it writes to, \`cdktf.out\` where absent. \`tenancy init\` makes such a project.`;

  /** @param problem as in "there is no cdktf.json in /home/me" */
  constructor(problem: string, advice: string) {
    super(problem, { advice });
  }
}
