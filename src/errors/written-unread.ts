import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a write succeeded, and reading its result did not. */
export class WrittenUnread extends TenancyError {
  static readonly code = "TENANCY_WRITTEN_UNREAD";
  static readonly explanation = `
The service did what was asked, and then could not be read, so it is not known whether it shows what was asked for. The state holds what was
asked for; the next refresh reads the rest.`;

  constructor(noun: string, key: string, why: string, details: ErrorDetails = {}) {
    super(`${noun} ${JSON.stringify(key)} was written, but could not be read afterwards: ${why}`, {
      advice: "Plan again once the service is healthy: it reads what is missing.",
      ...details,
    });
  }
}
