/** The embedded service in a process of its own, as the bench talks to it. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { inherited } from "./run";
import type { Size } from "./tenants";

export interface Service {
  /** What the command and the bare programs take from their environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The requests since this was last read. */
  requests(): Promise<readonly Request[]>;
  stop(): Promise<void>;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** What the process says first. */
export interface Ready {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

export async function startService(script: string, size: Size): Promise<Service> {
  const child = fork(script, [JSON.stringify(size)], {
    env: inherited(),
    stdio: ["ignore", "ignore", 2, "ipc"],
  });
  const exited = once(child, "exit");
  const [ready] = (await Promise.race([
    once(child, "message"),
    exited.then(() => Promise.reject(new Error("the service did not start"))),
  ])) as [Ready];
  return {
    environment: {
      TENANCY_BASE_URL: ready.baseUrl,
      TENANCY_USERNAME: ready.username,
      TENANCY_PASSWORD: ready.password,
    },
    async requests() {
      const answered = once(child, "message");
      child.send("requests");
      const [requests] = (await answered) as [readonly Request[]];
      return requests;
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
