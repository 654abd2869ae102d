import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** The primary user profile of an account is declared or imported on its own. */
export class PrimaryProfile extends TenancyError {
  static readonly code = "TENANCY_PRIMARY_PROFILE";
  static readonly explanation = `
An account comes with a primary user profile, whose login is the account's name. It is part of the account: its permissions, level, access
and password are attributes of \`tenancy_account\`. Two declarations of it would undo each other's work.`;

  constructor(login: string, details: ErrorDetails = {}) {
    super(`the primary user profile ${JSON.stringify(login)} is part of its account`, {
      advice:
        "Declare its permissions, level, access and password on `tenancy_account`; for another user choose another username.",
      ...details,
    });
  }
}
