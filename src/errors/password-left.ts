import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: the password that was set for minting could not be removed again. */
export class PasswordLeft extends TenancyError {
  static readonly code = "TENANCY_PASSWORD_LEFT";
  static readonly explanation = `
To mint a token with \`ephemeral_password\`, a machine user gets a random password for a moment. Removing it failed. Nobody knows the
password, but the user now looks like one who has one. Declare \`unset = ["password_wo"]\` on the user profile: the next apply removes the
password.`;

  constructor(login: string, why: string, details: ErrorDetails = {}) {
    super(`the password of ${JSON.stringify(login)} that was set for minting was not removed: ${why}`, {
      advice: 'Declare `unset = ["password_wo"]` on its user profile and apply again.',
      ...details,
    });
  }
}
