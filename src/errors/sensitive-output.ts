import { TenancyError } from "./tenancy-error";

/** An output shows a secret without saying so. */
export class SensitiveOutput extends TenancyError {
  static readonly code = "TENANCY_SENSITIVE_OUTPUT";
  static readonly explanation = `
The value of an output comes from something sensitive, such as a token or a sensitive variable, and outputs are printed. Mark the output as
sensitive: it is then shown only when asked for by name with \`tenancy output NAME --raw\`.`;

  constructor(name: string) {
    super(`the output "${name}" has a sensitive value, but is not marked as sensitive`, {
      address: `output.${name}`,
      advice: "Add sensitive: true to the output.",
    });
  }
}
