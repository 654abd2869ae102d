import { commandRunner } from "./command-runner";
import { engineRunner } from "./engine-runner";
import { terraformRunner } from "./terraform-runner";
import type { Runner } from "./runner";

export const RUNNERS = {
  engine: engineRunner,
  command: commandRunner,
  terraform: terraformRunner,
} as const satisfies Readonly<Record<string, Runner>>;

export type RunnerName = keyof typeof RUNNERS;

export function isRunnerName(name: string): name is RunnerName {
  return Object.hasOwn(RUNNERS, name);
}
