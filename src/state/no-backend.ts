/** Keeps nothing: each run begins with an empty state. */
import type { Backend } from "./backend";

export class NoBackend implements Backend {
  readonly description = "none";

  slotOf(): string {
    return "";
  }

  read(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  write(): Promise<void> {
    return Promise.resolve();
  }

  lock(): Promise<void> {
    return Promise.resolve();
  }

  unlock(): Promise<void> {
    return Promise.resolve();
  }
}
