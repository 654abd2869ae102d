import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A warning: the password that served for minting could not be taken away again. */
export class PasswordLeft extends TenancyError {
  static readonly code = "TENANCY_PASSWORD_LEFT";
  static readonly explanation = `
To mint a token with \`ephemeral_password\`, a machine user gets a random password for a moment. Taking it away again failed. Nobody knows the
password, but the user can no longer be told from one who has one. Declare \`unset = ["password_wo"]\` on the user profile: the next apply
takes the password away.`;

  constructor(login: string, why: string, details: ErrorDetails = {}) {
    super(`the password of ${JSON.stringify(login)} that served for minting was not taken away: ${why}`, {
      advice: 'Declare `unset = ["password_wo"]` on its user profile and apply again.',
      ...details,
    });
  }
}
