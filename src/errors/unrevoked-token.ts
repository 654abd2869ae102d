import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A token that should be revoked is still accepted by the service. */
export class UnrevokedToken extends TenancyError {
  static readonly code = "TENANCY_UNREVOKED_TOKEN";
  static readonly explanation = `
A token was to be revoked, and the service did not confirm it: it was down, or does not revoke over the API. Revoked means that the token
itself is refused. It is tried again, and reported, at every run until it is.`;

  constructor(login: string, name: string, serial: string, details: ErrorDetails = {}) {
    super(`the token "${name}" of ${login} (${serial}) is still to be revoked`, {
      advice: "It is tried again at the next apply; if this persists, revoke it in the service itself.",
      ...details,
    });
  }
}
