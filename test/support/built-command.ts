/** The built command, as users run it: in a process of its own. */
import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** The file that package.json names as the command. */
export const COMMAND = join(root, "lib", "cli", "tenancy.js");

/** Builds the package, unless it is built from these very sources. */
export async function built(): Promise<void> {
  const { code, stderr } = await run(process.execPath, [join(root, ".ci", "build.mjs"), "--if-stale"], {
    folder: root,
  });
  if (code !== 0) throw new Error(`the package cannot be built:\n${stderr}`);
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProcessOptions {
  readonly folder: string;
  /** Besides PATH and HOME. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Told of all that is printed so far, whenever more is. */
  readonly onOutput?: (printed: string, child: ChildProcess) => void;
}

/** Runs a program to its end. */
export function run(program: string, words: readonly string[], options: ProcessOptions): Promise<Ended> {
  const { folder, environment, onOutput } = options;
  return new Promise((resolve, reject) => {
    const { PATH, HOME } = process.env;
    const child = spawn(program, words, {
      cwd: folder,
      env: { PATH, HOME, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      onOutput?.(stdout + stderr, child);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      onOutput?.(stdout + stderr, child);
    });
    child.once("error", reject);
    // A death by a signal as shells tell it.
    child.once("close", (code, signal) =>
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), stdout, stderr }),
    );
  });
}

/** Runs the built command. */
export function tenancy(words: readonly string[], options: ProcessOptions): Promise<Ended> {
  return run(process.execPath, [COMMAND, ...words], options);
}
