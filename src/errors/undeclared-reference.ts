import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An expression refers to something that the stack does not declare. */
export class UndeclaredReference extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_REFERENCE";
  static readonly explanation = `
An expression, a \`depends_on\` or a \`provider\` names something that the stack does not declare, or that has no meaning where it stands (\`each\`
without \`for_each\`, \`count\` without \`count\`, \`self\` outside a postcondition).`;

  constructor(what: string, problem: string, details: ErrorDetails = {}) {
    super(`${what} ${problem}`, details);
  }
}
