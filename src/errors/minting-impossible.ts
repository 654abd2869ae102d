import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A token cannot be minted the way that is declared; nothing was sent that could have made one. */
export class MintingImpossible extends TenancyError {
  static readonly code = "TENANCY_MINTING_IMPOSSIBLE";
  static readonly explanation = `
A token is minted by its user, so the service has to take us for that user for a moment. \`mint_with\` says how: \`password\` logs in with
\`password_wo\` (without \`login\` and \`password_wo\`, with the provider's own user name and password); \`switch_user\` has an administrator act as
the user; \`ephemeral_password\` gives a machine user that has no password one, and takes it away again. What is declared lacks something
for its way. No token was minted.`;

  /** @param why what is missing or in the way, as a clause */
  constructor(login: string | undefined, why: string, details: ErrorDetails = {}) {
    const whose = login === undefined ? "a token" : `a token for ${JSON.stringify(login)}`;
    super(`${whose} cannot be minted: ${why}`, details);
  }
}
