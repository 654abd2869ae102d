import { TenancyError } from "./tenancy-error";

/** The key does not open the encrypted credential store. */
export class WrongStoreKey extends TenancyError {
  static readonly code = "TENANCY_STORE_KEY_WRONG";
  static readonly explanation = `
The encrypted credential store proves with a cryptographic tag that it is as we wrote it. The proof failed: either the key is not the one
that it was written with, or the file was changed by something else (a merge, an editor, an attacker). There is no telling which. The store
was left untouched.`;

  constructor(store: string) {
    super(`TENANCY_STORE_KEY does not open the credential store ${store}`, {
      detail:
        "The key is not the right one, or the store was altered since it was written. It was left untouched.",
      advice:
        "Check TENANCY_STORE_KEY. If it is right, restore the store from a backup or an earlier commit.",
    });
  }
}
