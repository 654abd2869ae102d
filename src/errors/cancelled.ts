import { TenancyError } from "./tenancy-error";

/** The run was stopped before this was done. */
export class Cancelled extends TenancyError {
  static readonly code = "TENANCY_CANCELLED";
  static readonly explanation = `
The run was interrupted. Requests that only read were cut off; a write that was under way was left to end, because its answer matters.
Nothing new was begun. Run again to go on.`;

  constructor(what: string) {
    super(`${what}: stopped before it was done`, { advice: "Run again to go on." });
  }
}
