import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An account would be deleted without being allowed to be. */
export class AccountDeletionRefused extends TenancyError {
  static readonly code = "TENANCY_ACCOUNT_DELETION";
  static readonly explanation = `
Deleting or replacing an account destroys the tenant's storage, so it has to be allowed: \`deletion_protection = false\` applied while the
account is declared, \`new Removed(…)\` for an account that is no longer declared, or \`--allow-account-deletion=NAME\` for one run. One
refused delete stops the run before the first write.`;

  constructor(name: string, details: ErrorDetails = {}) {
    super(`account "${name}" would be deleted, with the tenant's storage`, {
      advice: `If that is intended: set deletion_protection = false, or pass --allow-account-deletion=${name}.`,
      ...details,
    });
  }
}
