import { TenancyError } from "./tenancy-error";

/** A token of the store is to be rotated, and nothing says how to mint it. */
export class TokenUndeclared extends TenancyError {
  static readonly code = "TENANCY_TOKEN_UNDECLARED";
  static readonly explanation = `
\`tenancy token rotate\` mints a new token as the declaration says (\`mint_with\`, \`password_wo\`), and keeps the old one for the declared
time. This token is in the credential store, but is no longer declared. Revoke it (\`tenancy token revoke\`, or the next apply), or declare
it.`;

  constructor(key: string) {
    super(`the token ${JSON.stringify(key)} is not declared, so nothing says how to mint a new one`, {
      advice: `Revoke it: tenancy token revoke ${key}. Or declare it, and rotate it then.`,
    });
  }
}
