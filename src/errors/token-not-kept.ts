import { TenancyError } from "./tenancy-error";

/** A token was minted, and its secret could not be kept. */
export class TokenNotKept extends TenancyError {
  static readonly code = "TENANCY_TOKEN_NOT_KEPT";
  static readonly explanation = `
A token's secret is shown once, so it has to be durably kept before success is reported. Keeping it failed: a full disk, a lost lock, a
credential helper that refused. A token that nobody holds must not stay good, so it was revoked at once; where that failed too, the message
names its serial, to be revoked at the service.`;

  constructor(login: string, serial: string, revoked: boolean, why: string, cause: unknown) {
    super(`the token for ${JSON.stringify(login)} was minted, but could not be kept: ${why}`, {
      detail: revoked ? `It was revoked (serial ${serial}).` : `It could not be revoked: serial ${serial}.`,
      advice: revoked
        ? "Fix the store and run again."
        : `Revoke ${serial} at the service, and fix the store.`,
      cause,
    });
  }
}
