import { nearest } from "../values";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An expression, \`depends_on\` or \`import\` refers to nothing. */
export class UndeclaredReference extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_REFERENCE";
  static readonly explanation = `
Something in the stack refers to a resource, data source, variable, local or provider that the stack does not declare. References that CDKTF
makes are right; this happens where an address was written as a string, or where the construct was removed and the string stayed.`;

  /** @param known addresses that are declared */
  constructor(address: string, known: Iterable<string>, details: ErrorDetails = {}) {
    const near = nearest(address, known);
    super(`"${address}" is not declared in this stack`, {
      advice: near === undefined ? "Declare it, or remove the reference." : `Did you mean "${near}"?`,
      ...details,
    });
  }
}
