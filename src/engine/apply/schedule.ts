/** Runs tasks as soon as their dependencies are done, with a limit on how many run at once. */

export interface Task {
  readonly id: string;
  /** Ids of the tasks that must have succeeded before; ids that are not among the tasks count as done. */
  readonly after: readonly string[];
  /** Resolves to whether it succeeded; a rejection ends the schedule, so let it report failures itself. */
  readonly run: () => Promise<boolean>;
  /** Called instead of `run` where something before it failed, or the run was stopped. */
  readonly skip: (because: "failed" | "stopped") => void;
}

/**
 * Resolves when every task has run or was skipped. A failure skips its direct and indirect dependents, and nothing else.
 * @param concurrency at least 1
 */
export function schedule(tasks: readonly Task[], concurrency: number, signal?: AbortSignal): Promise<void> {
  const { waitingFor, dependents } = graphOf(tasks);
  const ready = tasks.filter((task) => waitingFor.get(task.id) === 0);
  const skipCauses = new Map<string, "failed" | "stopped">();
  let startCount = 0;
  let running = 0;

  return new Promise((resolve, reject) => {
    const finish = (task: Task, cause?: "failed" | "stopped"): void => {
      for (const dependent of dependents.get(task.id) ?? []) {
        const waits = (waitingFor.get(dependent.id) ?? 0) - 1;
        waitingFor.set(dependent.id, waits);
        if (cause === "failed" || (cause === "stopped" && !skipCauses.has(dependent.id))) {
          skipCauses.set(dependent.id, cause);
        }
        if (waits === 0) ready.push(dependent);
      }
    };
    const begin = (task: Task): void => {
      running++;
      task.run().then((ok) => {
        running--;
        finish(task, ok ? undefined : "failed");
        pump();
      }, reject);
    };
    const pump = (): void => {
      while (startCount < ready.length && running < Math.max(1, concurrency)) {
        const task = ready[startCount++];
        if (task === undefined) break;
        const because = skipCauses.get(task.id) ?? (signal?.aborted === true ? "stopped" : undefined);
        if (because === undefined) {
          begin(task);
        } else {
          task.skip(because);
          finish(task, because);
        }
      }
      if (running === 0 && startCount === ready.length) resolve();
    };
    pump();
  });
}

function graphOf(tasks: readonly Task[]) {
  const ids = new Set(tasks.map(({ id }) => id));
  const waitingFor = new Map<string, number>();
  const dependents = new Map<string, Task[]>();
  for (const task of tasks) {
    const before = new Set(task.after.filter((id) => ids.has(id) && id !== task.id));
    waitingFor.set(task.id, before.size);
    for (const id of before) {
      const list = dependents.get(id);
      if (list === undefined) dependents.set(id, [task]);
      else list.push(task);
    }
  }
  return { waitingFor, dependents };
}
