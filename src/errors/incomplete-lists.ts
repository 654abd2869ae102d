import { TenancyError } from "./tenancy-error";

/** The lists of the service may be short, so nothing may be concluded from what they lack. */
export class IncompleteLists extends TenancyError {
  static readonly code = "TENANCY_INCOMPLETE_LISTS";
  static readonly explanation = `
Before anything is created or deleted, the lists of accounts and user profiles must be complete: the caller must be in them, and each
\`account_id\` and \`admin_profile_id\` must resolve. A short list, from a busy server or a gateway, would otherwise turn what it lacks
into creates, and what is left into deletes. Nothing was written. Try again; if this persists, ask the service's operator, or check that
the credential may list the account that it belongs to.`;

  /** @param missing what the lists lack, as a clause */
  constructor(origin: string, missing: string, changes: number) {
    super(`the lists of ${origin} are incomplete: ${missing}`, {
      detail: `${changes} planned ${changes === 1 ? "create or delete depends" : "creates and deletes depend"} on them.`,
      advice: "Nothing was written. Run it again; if this persists, check what the credential may list.",
    });
  }
}
