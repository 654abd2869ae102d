import { TenancyError } from "./tenancy-error";

/** Credentials that cannot be sent. */
export class InvalidCredentials extends TenancyError {
  static readonly code = "TENANCY_INVALID_CREDENTIALS";
  static readonly explanation = `
The credentials are incomplete or cannot be put into a request: a user name without a password, a user name with a colon, a token with
characters that no token has. Give either \`token\` (\`TENANCY_TOKEN\`), or \`username\` and \`password\` (\`TENANCY_USERNAME\`,
\`TENANCY_PASSWORD\`).`;

  constructor(why: string) {
    super(`the credentials can't be used: ${why}`, {
      advice: "Give either token, or username and password.",
    });
  }
}
