import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: whether the declared password is the user's cannot be told. */
export class PasswordUnverified extends TenancyError {
  static readonly code = "TENANCY_PASSWORD_UNVERIFIED";
  static readonly explanation = `
With \`verify_password\` the plan tries to log in with the declared password. A refusal plans to send it again; but here the attempt would say
nothing of the password: the user is not activated, has no API access or logs in with two factors, or the service did not answer. Nothing is
sent.`;

  /** @param why as a clause */
  constructor(login: string, why: string, details: ErrorDetails = {}) {
    super(`whether the password of ${login} is the declared one cannot be told: ${why}`, {
      advice: "Take verify_password out if that is to stay so.",
      attribute: ["verify_password"],
      ...details,
    });
  }
}
