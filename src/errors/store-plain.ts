import { TenancyError } from "./tenancy-error";

/** There is a key for the credential store, and the store is not encrypted. */
export class StorePlain extends TenancyError {
  static readonly code = "TENANCY_STORE_PLAIN";
  static readonly explanation = `
\`TENANCY_STORE_KEY\` is set, so the credential store should be encrypted, and what was found is not. With a key, everything in a store is
authenticated; without encryption nothing is. Somebody who can write where the store is kept could put a plain document of theirs in its
place, with tokens and notes of their choice. So a plain store is not taken for yours just because it is there. If you have set the key only
now, and the plain store is the one that you kept so far, say so once with \`--encrypt-store\`: the apply then encrypts it.`;

  constructor(store: string) {
    super(`TENANCY_STORE_KEY is set, and the credential store ${store} is not encrypted`, {
      advice:
        "If the key is new, encrypt the store with: tenancy apply --encrypt-store. If the store was encrypted before, somebody has replaced it: restore it from a backup.",
    });
  }
}
