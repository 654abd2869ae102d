import { commandRunner } from "./command-runner";
import { engineRunner } from "./engine-runner";
import type { Runner } from "./runner";

export const RUNNERS = {
  engine: engineRunner,
  command: commandRunner,
} as const satisfies Readonly<Record<string, Runner>>;

export type RunnerName = keyof typeof RUNNERS;

export function isRunnerName(name: string): name is RunnerName {
  return Object.hasOwn(RUNNERS, name);
}
