import { TenancyError } from "./tenancy-error";

/** The credential store cannot be read or written. */
export class StoreUnusable extends TenancyError {
  static readonly code = "TENANCY_STORE_UNUSABLE";
  static readonly explanation = `
The file of the credential store could not be read or written: no permission, no space, a read-only file system, a folder or a dangling link
in its place. Without the store no token is minted, because it could not be kept, and nothing is deleted, because nothing would show what is
ours.`;

  /** @param fault what is wrong, as in "cannot be read (EACCES)" */
  constructor(store: string, fault: string, cause?: unknown) {
    super(`the credential store ${store} ${fault}`, {
      advice:
        "Make it a regular file that you may read and write, in a folder that you may write, or name another one with --store.",
      cause,
    });
  }
}
