import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** A token cannot be minted the way that is declared; nothing was sent that could have made one. */
export class MintingImpossible extends TenancyError {
  static readonly code = "TENANCY_MINTING_IMPOSSIBLE";
  static readonly explanation = `
A token is minted by its user, so for a moment the run has to act as that user. \`mint_with\` says how: \`password\` logs in with
\`password_wo\` (without \`login\` and \`password_wo\`, with the provider's own username and password); \`switch_user\` has an administrator
act as the user; \`ephemeral_password\` gives a password to a machine user that has none, and takes it away again. Something that the
declared way needs is missing. No token was minted.`;

  /** @param why what is missing or in the way, as a clause */
  constructor(login: string | undefined, why: string, details: ErrorDetails = {}) {
    const whose = login === undefined ? "a token" : `a token for ${JSON.stringify(login)}`;
    super(`${whose} cannot be minted: ${why}`, details);
  }
}
