import { plainText } from "../values";
import { TenancyError } from "./tenancy-error";

/** Who holds the lock of a credential store. What is not known is left out. */
export interface LockHolder {
  readonly pid?: number;
  readonly host?: string;
  /** ISO 8601. */
  readonly since?: string;
}

/** Another run holds the lock of the credential store. */
export class StoreLocked extends TenancyError {
  static readonly code = "TENANCY_STORE_LOCKED";
  static readonly explanation = `
The credential store is locked for the whole of an apply, so that two runs never mint the same token twice or overwrite what the other one
has kept. This run waited, and the other one did not finish. The lock of a run that died on this machine is taken over at once; that of a
run on another machine once it has given no sign of life for two minutes.`;

  readonly holder: LockHolder;

  /** @param lockFile the file to remove when the holder is known to be gone; undefined where there is none */
  constructor(store: string, holder: LockHolder, lockFile?: string) {
    super(`another run holds the lock of the credential store ${store}: ${describe(holder)}`, {
      advice:
        "Wait for it to finish and run again." +
        (lockFile === undefined ? "" : ` If you know that it is no longer running, remove '${lockFile}'.`),
    });
    this.holder = holder;
  }
}

function describe({ pid, host, since }: LockHolder): string {
  const facts = [
    pid !== undefined && `process ${pid}`,
    host !== undefined && `on ${plainText(host, 255)}`,
    since !== undefined && `since ${plainText(since, 40)}`,
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? "it did not say who it is" : facts.join(" ");
}
