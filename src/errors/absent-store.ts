import { TenancyError } from "./tenancy-error";

/** What a store says of the service and owner of a run. */
export interface StorePart {
  readonly origin: string;
  readonly owner: string;
  /** Whether it keeps anything for them. */
  readonly exists: boolean;
  /** Whether there is a store at all. */
  readonly isStoreThere: boolean;
}

/** Tokens are declared for users who exist already, and the store that would know the tokens is not there. */
export class AbsentStore extends TenancyError {
  static readonly code = "TENANCY_STORE_ABSENT";
  static readonly explanation = `
A token's secret is only in the credential store: the service shows it once. The store keeps nothing for this service and owner, yet the user
of a declared token is live. Either this is a new checkout or machine and the store is elsewhere, or the token was never minted. In the first
case minting would silently give the user a second token that nobody watches. So you have to say it: \`--init-store\` means that there is no
earlier store, and that new tokens are wanted.

A run that needs no such token makes the store and notes the tokens in question. They take \`--init-store\` in every later run too, until they
are minted, or their user is made anew.`;

  /**
   * @param store the store, as in "platform/credentials.json" or "kept by vault-helper"
   * @param tokens the declared tokens whose users are live, as `name of login`
   */
  constructor(store: string, { origin, owner, exists, isStoreThere }: StorePart, tokens: readonly string[]) {
    const live = `users of declared tokens ${exists ? "were live already" : "are live"}: ${tokens.join(", ")}`;
    const nothing = `keeps nothing for ${origin} as owner ${JSON.stringify(owner)}`;
    super(
      exists
        ? `when the credential store ${store} was made, ${live}`
        : `the credential store ${store} ${isStoreThere ? nothing : "does not exist"}, and ${live}`,
      {
        detail: "If these tokens were minted before, minting again would leave the earlier ones unwatched.",
        advice:
          "Bring the store here (--store PATH, or --credential-helper), or pass --init-store to mint new tokens.",
      },
    );
  }
}
