import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A token is still good although it should be revoked. */
export class NotRevoked extends TenancyError {
  static readonly code = "TENANCY_NOT_REVOKED";
  static readonly explanation = `
A token counts as revoked once the service refuses it, not when a request to revoke it was answered. Here it still works. Some deployments
do not revoke tokens over the API (status 405): revoke it there with the service's own tools; the next run finds it refused and goes on. It
stays in the state or store until then.`;

  /** @param unsupported whether the service answered that it does not revoke over its API */
  constructor(serial: string, unsupported: boolean, details: ErrorDetails = {}) {
    super(
      unsupported
        ? `the service does not revoke tokens over its API, and the token ${serial} is still good`
        : `the token ${serial} is still good after it was revoked`,
      {
        advice: `Revoke ${serial} with the service's own tools, then run again.`,
        ...details,
      },
    );
  }
}
