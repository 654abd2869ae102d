import { TenancyError } from "./tenancy-error";

/** Credentials that cannot be sent. */
export class InvalidCredentials extends TenancyError {
  static readonly code = "TENANCY_INVALID_CREDENTIALS";
  static readonly explanation = `
The credentials are incomplete or cannot be put into a request: a username without a password, a username with a colon, a token with
characters that no token has. Give either \`token\` (\`TENANCY_TOKEN\`), or \`username\` and \`password\` (\`TENANCY_USERNAME\`,
\`TENANCY_PASSWORD\`).`;

  constructor(why: string) {
    super(`the credentials cannot be used: ${why}`, {
      advice: "Give either token, or username and password.",
    });
  }
}
