import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** What `new Removed(…)` names does not exist any more: a suggestion, never an error. */
export class RemovedIsGone extends TenancyError {
  static readonly code = "TENANCY_REMOVED_IS_GONE";
  static readonly explanation = `
\`new Removed(…)\` did its work: what it names is gone. The line can be taken out of the code.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`"${name}" is gone`, { advice: "The line `new Removed(…)` can be removed.", ...details });
  }
}
