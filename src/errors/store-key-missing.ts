import { TenancyError } from "./tenancy-error";

/** The credential store is encrypted, and no key was given. */
export class StoreKeyMissing extends TenancyError {
  static readonly code = "TENANCY_STORE_KEY_MISSING";
  static readonly explanation = `
The credential store was encrypted with the key in \`TENANCY_STORE_KEY\`, and cannot be read without it. In a CI job, check that the
secret is passed on to this job: many services withhold secrets from pull requests of forks.`;

  constructor(store: string) {
    super(`the credential store ${store} is encrypted, and TENANCY_STORE_KEY is not set`, {
      advice: "Set TENANCY_STORE_KEY to the key that it was encrypted with.",
    });
  }
}
