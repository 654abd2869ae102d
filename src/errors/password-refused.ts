import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: the service refuses the declared password, and nothing makes it be sent again. */
export class PasswordRefused extends TenancyError {
  static readonly code = "TENANCY_PASSWORD_REFUSED";
  static readonly explanation = `
With \`verify_password\` the plan tries to log in with the declared password, and the service refused it. Only its version decides when a
write-only value is sent. The embedded engine sends the password again where it has a \`password_wo_version\`, and gives this warning where
it has none: set one. Terraform sends it when the version changes, and gives this warning whenever the password is refused: raise the
version.`;

  constructor(login: string, details: ErrorDetails = {}) {
    super(`the service refuses the declared password of ${login}`, {
      advice: "Give it a version, so that it is sent again.",
      attribute: ["password_wo"],
      ...details,
    });
  }
}
