import { TenancyError } from "./tenancy-error";

/** What is kept in the place of the credential store is no credential store, or a damaged one. */
export class CorruptStore extends TenancyError {
  static readonly code = "TENANCY_STORE_CORRUPT";
  static readonly explanation = `
The credential store was read, but it is not what we would have written: not JSON, another format, or a member of the wrong type. The message
says where, never what, because the store holds secrets. The store was left untouched. Restore it from a backup. Starting over (move it
away, then \`--init-store\`) means that tokens which only it knew cannot be revoked by Tenancy any more: revoke them on the service.`;

  /**
   * @param store the store, as in "platform/credentials.json" or "kept by vault-helper"
   * @param fault what is wrong, as in "is not JSON"
   */
  constructor(store: string, fault: string) {
    super(`the credential store ${store} is damaged: ${fault}`, {
      detail: "It was left untouched.",
      advice:
        "Restore it from a backup. If there is none, move it away and run again with --init-store; tokens that only it knew must then be revoked on the service.",
    });
  }
}
