/** Starts the simulated service in a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { SimulatorOptions } from "../../src/lib/simulator";

export interface SimulatorProcess {
  /** Without `/api`. */
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** Ends it with a signal, and waits until it is gone. @returns its exit code, null where the signal ended it */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Options that JSON can carry. */
type PlainOptions = Omit<SimulatorOptions, "clock" | "onRequest">;

export async function startSimulatorProcess(options: PlainOptions = {}): Promise<SimulatorProcess> {
  const main = join(__dirname, "simulator-main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const facts = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [, name, value] = /^#? ?TENANCY_(\w+)=?(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) facts.set(name, value);
    if (name === "PASSWORD") break;
  }
  return {
    baseUrl: facts.get("BASE_URL") ?? fail("it printed no base URL"),
    username: facts.get("USERNAME") ?? fail("it printed no username"),
    password: facts.get("PASSWORD") ?? "",
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

function fail(reason: string): never {
  throw new Error(`the simulator's process did not start: ${reason}`);
}
