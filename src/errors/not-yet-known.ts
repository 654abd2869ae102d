import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Something that an object refers to is still unknown when its turn comes. */
export class NotYetKnown extends TenancyError {
  static readonly code = "TENANCY_NOT_YET_KNOWN";
  static readonly explanation = `
When an object is written, everything that its configuration refers to must be known. Here something is not: the service did not show it, or
the part of the stack that it comes from was left out of this run.`;

  constructor(key: string, details: ErrorDetails = {}) {
    super(`"${key}" refers to something that is still unknown`, {
      advice: "Run it again; with --only or --exclude, include what it refers to.",
      ...details,
    });
  }
}
