import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Tokens of a machine user ended with the password that was set for minting. */
export class TokensEnded extends TenancyError {
  static readonly code = "TENANCY_TOKENS_ENDED";
  static readonly explanation = `
To mint a token with \`ephemeral_password\`, a machine user gets a random password for a moment, and then loses it again. Some services revoke
a user's tokens when its password changes. So the new token, and those of the same user that are known, are tried once the password is gone.
Here the service refuses some of them: their consumers are without a token. This user cannot get tokens that way. Let an administrator switch
to it (\`mint_with = "switch_user"\`), or give it a password of its own (\`mint_with = "password"\`). Then apply with \`--verify-tokens\`, so that
each token that has ended is minted anew; Terraform finds them by its refresh.`;

  /** @param serials of the tokens that are refused since */
  constructor(login: string, serials: readonly string[], details: ErrorDetails = {}) {
    super(
      `the service refuses ${serials.join(", ")} since the password of ${JSON.stringify(login)} changed`,
      {
        detail:
          "It revokes the tokens of a user with the user's password. The password was set for minting, and taken away again.",
        attribute: ["mint_with"],
        advice:
          'Choose mint_with = "switch_user", or give the user a password and choose "password". Then apply with --verify-tokens, which mints ' +
          "each of them anew.",
        ...details,
      },
    );
  }
}
