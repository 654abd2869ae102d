import { TenancyError } from "./tenancy-error";

/** The key for the credential store is set, but empty. */
export class UnfitStoreKey extends TenancyError {
  static readonly code = "TENANCY_STORE_KEY_UNFIT";
  static readonly explanation = `
\`TENANCY_STORE_KEY\` is set, so the credential store should be encrypted, but its value is empty. That is what a CI service
leaves behind when the secret does not exist or is withheld from the job. Going on without encryption would not be what was asked.`;

  constructor() {
    super("TENANCY_STORE_KEY is set, but empty", {
      advice:
        "Give it a long random value (openssl rand -base64 32), or unset it to keep the store unencrypted.",
    });
  }
}
