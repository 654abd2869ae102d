import { TenancyError } from "./tenancy-error";

/** Tokens are declared for users who exist already, and the store that would know the tokens is not there. */
export class AbsentStore extends TenancyError {
  static readonly code = "TENANCY_STORE_ABSENT";
  static readonly explanation = `
A token's secret is only in the credential store: the service shows it once. There is no store, yet the user of a declared token is live.
Either this is a new checkout or machine and the store is elsewhere, or the token was never minted. In the first case minting would silently
give the user a second token that nobody watches. So you have to say it: \`--init-store\` means that there is no earlier store, and that new
tokens are wanted.`;

  /**
   * @param store the store, as in "platform/credentials.json" or "kept by vault-helper"
   * @param tokens the declared tokens whose users are live, as `name of login`
   */
  constructor(store: string, tokens: readonly string[]) {
    super(
      `the credential store ${store} does not exist, and users of declared tokens are live: ${tokens.join(", ")}`,
      {
        detail: "If these tokens were minted before, minting again would leave the earlier ones unwatched.",
        advice:
          "Bring the store here (--store PATH, or --credential-helper), or pass --init-store to mint new tokens.",
      },
    );
  }
}
