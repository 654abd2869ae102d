import { TenancyError } from "./tenancy-error";

/** The run was stopped before this was done. */
export class Cancelled extends TenancyError {
  static readonly code = "TENANCY_CANCELLED";
  static readonly explanation = `
The run was interrupted. Requests that only read were cut off; a write that was under way was allowed to finish, because its answer matters.
Nothing new was started. Run again to continue.`;

  constructor(what: string) {
    super(`${what}: stopped before it was done`, { advice: "Run again to continue." });
  }
}
