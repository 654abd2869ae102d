import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: a user profile is created without permissions. */
export class UndeclaredPermissions extends TenancyError {
  static readonly code = "TENANCY_UNDECLARED_PERMISSIONS";
  static readonly explanation = `
A user profile is created without \`permissions\`. The service then grants every right on virtual storage services, users and the account. Declare
\`permissions\`: once declared they are exact, and a right that is not named is denied. \`permissions = {}\` denies them all.`;

  constructor(login: string, details: ErrorDetails = {}) {
    // Without the name, so that Terraform shows a warning that many users earn as one.
    super("a user profile is created without permissions, so the service grants it most rights", {
      attribute: ["permissions"],
      detail: `It is that of ${JSON.stringify(login)}.`,
      advice: "Declare `permissions`: once declared they are exact.",
      ...details,
    });
  }
}
