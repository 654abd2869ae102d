import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A minted token belongs to another user than the declared one. */
export class TokenOfAnother extends TenancyError {
  static readonly code = "TENANCY_TOKEN_OF_ANOTHER";
  static readonly explanation = `
The service minted a token, and its record names another user profile than that of the declared login. Such a token would act with other
rights than those that were reviewed. It was revoked at once; where that failed, the message names its serial, to be revoked at the service.`;

  constructor(login: string, serial: string, revoked: boolean, details: ErrorDetails = {}) {
    super(`the token that was minted for ${JSON.stringify(login)} belongs to another user`, {
      detail: revoked ? `It was revoked (serial ${serial}).` : `It could not be revoked: serial ${serial}.`,
      advice: revoked
        ? "Check login and mint_with."
        : `Revoke ${serial} at the service, then check login and mint_with.`,
      ...details,
    });
  }
}
