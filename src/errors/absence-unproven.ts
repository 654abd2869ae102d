import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Something is not to be seen, but that does not prove that it is not there. */
export class AbsenceUnproven extends TenancyError {
  static readonly code = "TENANCY_ABSENCE_UNPROVEN";
  static readonly explanation = `
An object was not found, but the caller could not see it either way: an account is absent only to a caller who may manage accounts, a
user profile only when its account is listed, and a record known by id only when the service answers 404 or 410 for it, from whole lists.
Nothing was created, deleted or forgotten. Run it with a credential that can see what it manages.`;

  /** @param why what was not found, and why that proves nothing */
  constructor(why: string, details: ErrorDetails = {}) {
    super(why, {
      advice: "Use a credential that can see it; nothing was created, deleted or forgotten.",
      ...details,
    });
  }
}
