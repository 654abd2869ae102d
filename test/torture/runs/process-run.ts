/** A run that is a process, or a group of them, of its own. */
import { spawn, type ChildProcess } from "node:child_process";

export interface ProcessRun {
  readonly kill: () => void;
  readonly ended: Promise<ProcessEnd>;
}

export interface ProcessEnd {
  /** null: it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly folder: string;
  /** All of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A kill takes along what the process has started. */
export function startProcess(
  program: string,
  words: readonly string[],
  { folder, environment }: ProcessOptions,
): ProcessRun {
  const child = spawn(program, words, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const read = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (read[name] += text));
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...read }));
  });
  return { kill: () => killGroup(child), ended };
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
