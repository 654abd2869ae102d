import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An account that is to be deleted still holds something. */
export class AccountNotEmpty extends TenancyError {
  static readonly code = "TENANCY_ACCOUNT_NOT_EMPTY";
  static readonly explanation = `
An account is deleted only when it is empty: its usage counters are there and zero, and no user profile in it was made by somebody else.
Move or delete what is in it, or allow it to be deleted with its contents: \`allow_nonempty_delete = true\` applied while the account is
declared, or \`--allow-nonempty\` for one run.`;

  /** @param findings what is in it, each a few words */
  constructor(name: string, findings: readonly string[], details: ErrorDetails = {}) {
    super(`account "${name}" is not empty: ${findings.join(", ")}`, {
      advice: "Empty it first, or pass --allow-nonempty to delete it with everything in it.",
      ...details,
    });
  }
}
