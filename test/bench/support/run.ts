/** Runs one process to its end, and tells what it cost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface Command {
  /** Arguments of Node: a script and what it takes. */
  readonly node: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Cost {
  /** On the clock, from start to end. */
  readonly milliseconds: number;
  /** Of all its threads, user and system; where it is known. */
  readonly processorMilliseconds?: number;
}

/** The environment of a measured process, without anything that would change how Node or the command works. */
const INHERITED = ["PATH", "HOME", "TMPDIR", "TEMP", "SystemRoot"];

/** @throws Error with the process's stderr where it ends with anything but 0 */
export async function run({ node, cwd, env }: Command): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), "bench-usage-"));
  const usage = join(folder, "usage.json");
  try {
    const begun = performance.now();
    const child = spawn(process.execPath, ["--require", join(__dirname, "usage.cjs"), ...node], {
      cwd,
      env: { ...inherited(), ...env, BENCH_USAGE: usage },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const said = text(child.stderr);
    const [code] = (await once(child, "exit")) as [number | null];
    const milliseconds = performance.now() - begun;
    if (code !== 0) throw new Error(`${node.join(" ")} ended with ${code}: ${await said}`);
    return { milliseconds, processorMilliseconds: Number(await readFile(usage, "utf8")) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function inherited(): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
