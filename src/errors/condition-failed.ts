import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A precondition, postcondition or validation of the configuration does not hold. */
export class ConditionFailed extends TenancyError {
  static readonly code = "TENANCY_CONDITION_FAILED";
  static readonly explanation = `
The configuration states conditions that must hold: in the \`validation\` of a variable, in a \`precondition\` or \`postcondition\`. One of
them does not; the message is the configuration's own.`;

  /** @param message the condition's own error message */
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details);
  }
}
