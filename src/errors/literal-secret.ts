import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A secret is written in the code, or comes from something that is not marked as secret. */
export class LiteralSecret extends TenancyError {
  static readonly code = "TENANCY_LITERAL_SECRET";
  static readonly explanation = `
A secret that is written in the code, or comes from a variable that is not \`sensitive\`, ends up in the repository, in \`cdktf.out\` and
wherever these are shown. Pass it in through a sensitive variable: \`Secret.variable("name")\` in TypeScript, with the value in
\`TF_VAR_name\`.`;

  constructor(attribute: string, details: ErrorDetails = {}) {
    super(`"${attribute}" is a secret, and its value is written in the code`, {
      advice: 'Pass it in through a sensitive variable, such as Secret.variable("name").',
      ...details,
    });
  }
}
