import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A variable has no value, or one that it cannot have. */
export class InvalidVariables extends TenancyError {
  static readonly code = "TENANCY_INVALID_VARIABLE";
  static readonly explanation = `
A variable of the stack has no value and no default, a value of another type, or one that its validation refuses; or a variable file
cannot be read. Values come, later ones winning, from \`TF_VAR_name\`, \`terraform.tfvars\`, \`*.auto.tfvars\`, \`--var-file\` and \`--var\`.`;

  constructor(problem: string, details: ErrorDetails = {}) {
    super(problem, details);
  }
}
