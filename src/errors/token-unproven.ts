import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a token is refused, or cannot be checked, and that does not prove that it is gone. */
export class TokenUnproven extends TenancyError {
  static readonly code = "TENANCY_TOKEN_UNPROVEN";
  static readonly explanation = `
A token is gone when the service refuses it (401) while its user is live, activated and has API access, its account is not disabled, and the
run's own credential is accepted; or when its user is proven to be gone. Anything else may be temporary: a deactivated user, a disabled account, a user
that the caller may not see, a service that answers badly. So nothing is forgotten, and no new token is minted.`;

  /** @param why what was found, as a clause */
  constructor(serial: string, why: string, details: ErrorDetails = {}) {
    super(`cannot tell whether the token ${serial} is still good: ${why}`, {
      advice: "It is kept, unless this plan replaces it. To have a new one minted, change its `keepers`.",
      ...details,
    });
  }
}
