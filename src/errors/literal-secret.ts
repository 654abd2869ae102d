import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A secret stands in the code, or comes from something that is not marked as secret. */
export class LiteralSecret extends TenancyError {
  static readonly code = "TENANCY_LITERAL_SECRET";
  static readonly explanation = `
A secret that is written in the code, or comes from a variable that is not \`sensitive\`, is in the repository, in \`cdktf.out\` and in
whatever shows either. Give it by a sensitive variable: \`Secret.variable("name")\` in TypeScript, and the value in \`TF_VAR_name\`.`;

  constructor(attribute: string, details: ErrorDetails = {}) {
    super(`"${attribute}" is a secret, and its value stands in the code`, {
      advice: 'Give it by a sensitive variable, such as Secret.variable("name").',
      ...details,
    });
  }
}
