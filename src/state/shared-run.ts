/** Lets callers share one run of a task. */

/** Runs a task never twice at the same time. Calls that come while it runs share one further run. */
export class SharedRun {
  readonly #task: () => Promise<void>;
  #last = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** Resolves after a run that began later than this call: it includes the caller's earlier work. */
  run(): Promise<void> {
    return (this.#next ??= this.#last =
      this.idle().then(() => {
        this.#next = undefined;
        return this.#task();
      }));
  }

  /** Resolves when all runs asked for so far have ended, well or not. */
  idle(): Promise<void> {
    return this.#last.catch(() => undefined);
  }
}
