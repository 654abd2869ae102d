import { TenancyError } from "./tenancy-error";

/** The project's app did not produce stacks that can be read. */
export class SynthesisFailed extends TenancyError {
  static readonly code = "TENANCY_SYNTHESIS_FAILED";
  static readonly explanation = `
The command that \`cdktf.json\` names as \`app\` ended with an error, or wrote no stacks to its output folder. It is run by the shell in the
project's folder, with \`CDKTF_OUTDIR\` set, and without variables that hold credentials (\`TENANCY_PASSWORD\`, \`TENANCY_TOKEN\`,
\`TF_VAR_…\` and such), so that secrets cannot get into what it writes. Run it by itself to see everything that it prints. Nothing was sent
to the service.`;

  /**
   * @param problem what is wrong, as in "the app ended with exit code 1"
   * @param app the command
   * @param output what it printed, as far as it helps
   */
  constructor(problem: string, app: string, advice: string, output = "") {
    super(problem, {
      detail: [`App: ${app}`, ...(output === "" ? [] : ["It printed:", ...indented(output)])].join("\n"),
      advice,
    });
  }
}

function indented(text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
