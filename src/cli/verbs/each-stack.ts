/** Several stacks, one after the other. */

export interface Step {
  readonly name: string;
  /** Names of the steps that have to succeed first. */
  readonly after: readonly string[];
}

export interface Listener {
  readonly failed: (error: unknown) => void;
  readonly skipped: (name: string, because: string) => void;
}

/**
 * Works on each stack. Where one fails, those that wait for it are left out, and the others go on.
 * @param work resolves to whether the stack succeeded
 * @returns whether all succeeded
 */
export async function eachStack<T extends Step>(
  steps: readonly T[],
  listener: Listener,
  work: (step: T) => Promise<boolean>,
): Promise<boolean> {
  const failed = new Set<string>();
  for (const step of steps) {
    const because = step.after.find((name) => failed.has(name));
    if (because !== undefined) {
      failed.add(step.name);
      listener.skipped(step.name, because);
      continue;
    }
    try {
      if (!(await work(step))) failed.add(step.name);
    } catch (error) {
      failed.add(step.name);
      listener.failed(error);
    }
  }
  return failed.size === 0;
}
