import { nearest } from "../values";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An expression calls a function that the embedded engine does not know. */
export class UnsupportedFunction extends TenancyError {
  static readonly code = "TENANCY_UNSUPPORTED_FUNCTION";
  static readonly explanation = `
The embedded engine knows the functions of Terraform's language whose results follow from their arguments, and \`permissions_preset\` of our
own provider. It does not know functions with random results (\`uuid\`, \`bcrypt\`), with private keys (\`rsadecrypt\`), or of other
providers.`;

  constructor(name: string, known: Iterable<string>, details: ErrorDetails = {}) {
    const near = nearest(name, known);
    super(`the embedded engine has no function "${name}"`, {
      advice:
        near === undefined
          ? "Compute the value in TypeScript, or run the stack with Terraform or OpenTofu."
          : `Did you mean "${near}"?`,
      ...details,
    });
  }
}
