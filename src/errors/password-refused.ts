import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: the service refuses the declared password, and without a version it is not sent. */
export class PasswordRefused extends TenancyError {
  static readonly code = "TENANCY_PASSWORD_REFUSED";
  static readonly explanation = `
With \`verify_password\` the plan tries to log in with the declared password. The service refused it, so it would be sent again; but a write-only
value is sent when its version changes, and this one has none. Give it a \`password_wo_version\`.`;

  constructor(login: string, details: ErrorDetails = {}) {
    super(`the service refuses the declared password of ${login}`, {
      advice: "Give it a version, so that it is sent again.",
      attribute: ["password_wo"],
      ...details,
    });
  }
}
