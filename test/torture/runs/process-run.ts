/** A run that is a process, or a group of them, of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Reader } from "../model/history";

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
  /** Who reads its stdout, and not to the end. */
  readonly reader?: Reader | undefined;
}

/** A kill takes along what the process has started. */
export function startProcess(
  program: string,
  words: readonly string[],
  { folder, environment, reader }: ProcessOptions,
): ProcessRun {
  const full = reader?.kind === "full disk" ? openSync("/dev/full", "w") : undefined;
  const child = spawn(program, words, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", full ?? "pipe", "pipe"],
    detached: true,
  });
  if (full !== undefined) closeSync(full);
  const read = { stdout: "", stderr: "" };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (read.stderr += text));
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    read.stdout += text;
    if (reader?.kind === "leaves" && linesOf(read.stdout) >= reader.afterLines) {
      read.stdout = firstLines(read.stdout, reader.afterLines);
      child.stdout?.destroy();
    }
  });
  if (reader?.kind === "leaves" && reader.afterLines === 0) child.stdout?.destroy();
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...read }));
  });
  return { kill: () => killGroup(child), ended };
}

function linesOf(text: string): number {
  return text.split("\n").length - 1;
}

function firstLines(text: string, count: number): string {
  return text.split("\n", count).join("\n");
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
