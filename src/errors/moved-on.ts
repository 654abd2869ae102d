import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A record is not what it was when the plan was made. */
export class MovedOn extends TenancyError {
  static readonly code = "TENANCY_MOVED_ON";
  static readonly explanation = `
Between the plan and the write somebody else changed the record: it has another uuid, name or account, or its sequence number went up. The
plan that you saw does not describe what would happen now, so nothing was sent to it. Plan again.`;

  /** @param what what is different, as in "its sequence number is 8, not 7" */
  constructor(noun: string, key: string, what: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} has changed since it was planned: ${what}`, {
      detail: "Nothing was sent to it.",
      advice: "Plan again.",
      ...details,
    });
  }
}
