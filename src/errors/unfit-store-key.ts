import { TenancyError } from "./tenancy-error";

/** The shortest key that a store is made with, in characters. */
export const SHORTEST_STORE_KEY = 16;

/** The key for the credential store is empty, or too short to make a store with it. */
export class UnfitStoreKey extends TenancyError {
  static readonly code = "TENANCY_STORE_KEY_UNFIT";
  static readonly explanation = `
A credential store is made with a key of at least ${SHORTEST_STORE_KEY} characters. An encrypted store may lie where others can read it, in a repository
for instance, and there they can guess at the key for as long as they like. Take a random one: \`openssl rand -base64 32\`. A store that was
made with a shorter key can still be read and written.

As a library, the engine also refuses an empty key: it stands for no encryption, which is not what was asked. In the environment an empty
\`TENANCY_STORE_KEY\` counts as not set.`;

  constructor(fault: "empty" | "short") {
    super(
      fault === "empty"
        ? "the key of the credential store is empty"
        : `the key of the credential store is shorter than ${SHORTEST_STORE_KEY} characters`,
      {
        advice: `Set TENANCY_STORE_KEY to a long random value (openssl rand -base64 32)${
          fault === "empty" ? ", or leave the key out to keep the store unencrypted" : ""
        }.`,
      },
    );
  }
}
