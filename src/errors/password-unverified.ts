import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: it cannot be checked whether the declared password is the user's. */
export class PasswordUnverified extends TenancyError {
  static readonly code = "TENANCY_PASSWORD_UNVERIFIED";
  static readonly explanation = `
With \`verify_password\` the plan tries to log in with the declared password. If it is refused, the plan sends it again; but here the
attempt would say nothing about the password: the user is not activated, has no API access or logs in with two factors, or the service did
not answer. Nothing is sent.`;

  /** @param why as a clause */
  constructor(login: string, why: string, details: ErrorDetails = {}) {
    super(`cannot tell whether the password of ${login} is the declared one: ${why}`, {
      advice: "Remove verify_password if this is to stay as it is.",
      attribute: ["verify_password"],
      ...details,
    });
  }
}
