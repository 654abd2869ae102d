import { TenancyError } from "./tenancy-error";

/** The lock of the credential store went to another run while this one believed that it held it. */
export class StoreLockLost extends TenancyError {
  static readonly code = "TENANCY_STORE_LOCK_LOST";
  static readonly explanation = `
Before each write, a run makes sure that the lock of the credential store is still its own. It no longer was: somebody removed the
lock, or this run was suspended for so long that another one took it for dead. Nothing was written, because that could undo what
the other run has kept.`;

  constructor(store: string) {
    super(`this run has lost the lock of the credential store ${store}`, {
      detail: "Nothing was written to it, so that what another run has kept is not undone.",
      advice: "Make sure that no other run is under way, then plan again.",
    });
  }
}
