/** What tells an object apart in the user's eyes, whoever made it. */
export type NaturalKey =
  | {
      /** An account, or the primary user profile that came into being with it. */
      readonly kind: "account" | "primary";
      readonly account: string;
    }
  | {
      readonly kind: "user_profile";
      readonly account: string;
      /** Part of the login before the `@`. */
      readonly username: string;
    };

/** A natural key in the hands of one owner: all that a uuid of ours is made of, but for the generation. */
export type OwnedKey = NaturalKey & { readonly owner: string };
