/** Defines the arguments and the result of a verb. */
import type { Command } from "commander";
import type { Listener } from "../documents";
import type { ExitCode } from "../io";
import type { Flags, VerbName } from "../program";
import type { Terminal } from "../terminal";

/** The command line, taken apart. */
export interface VerbCall<Name extends VerbName> {
  readonly verb: Name;
  readonly operands: readonly string[];
  readonly flags: Flags<Name>;
  /** As it was typed. */
  readonly argv: readonly string[];
  /** All verbs with their options. */
  readonly program: Command;
}

/** Errors that it throws are shown to the user. */
export type Verb<Name extends VerbName> = (call: VerbCall<Name>, terminal: Terminal) => Promise<ExitCode>;

/**
 * Works on each stack. If a stack fails, stacks that depend on it are left out, and the others go on.
 * @param steps each with the names of the steps that have to succeed first
 * @param work resolves to true if the stack succeeded
 * @returns true if all succeeded
 */
export async function eachStack<T extends { readonly name: string; readonly after: readonly string[] }>(
  steps: readonly T[],
  listener: Listener,
  work: (step: T) => Promise<boolean>,
): Promise<boolean> {
  const failedStacks = new Set<string>();
  for (const step of steps) {
    const because = step.after.find((name) => failedStacks.has(name));
    if (because !== undefined) {
      failedStacks.add(step.name);
      listener.skipped(step.name, because);
      continue;
    }
    try {
      if (!(await work(step))) failedStacks.add(step.name);
    } catch (error) {
      failedStacks.add(step.name);
      listener.failed(error);
    }
  }
  return failedStacks.size === 0;
}
