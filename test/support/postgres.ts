/** A PostgreSQL server for one test: an empty cluster in a temporary folder. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Files } from "./programs";

export interface Postgres {
  /** As `PG_CONN_STR` has it. */
  readonly url: string;
  stop(): Promise<void>;
}

export async function startPostgres({ initdb, postgres }: Files<"initdb" | "postgres">): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const user = serverUser();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const common = { cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C" }, ...user };

  execFileSync(initdb, ["-D", data, "-U", "tests", "--auth=trust", "--no-sync"], {
    ...common,
    stdio: "pipe",
  });
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "fsync=off"];
  const server = spawn(postgres, ["-D", data, ...settings.flatMap((setting) => ["-c", setting])], {
    ...common,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(server, "exit");
  await ready(server.stderr);
  return {
    url: `postgres://tests@127.0.0.1:${port}/postgres?sslmode=disable`,
    async stop() {
      server.kill("SIGINT"); // ends sessions as well
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** The server refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function ready(log: NodeJS.ReadableStream): Promise<void> {
  let printed = "";
  log.setEncoding("utf8");
  await new Promise<void>((resolve, reject) => {
    log.on("data", (text: string) => {
      printed += text;
      if (printed.includes("ready to accept connections")) resolve();
    });
    log.once("end", () => reject(new Error(`PostgreSQL did not start:\n${printed}`)));
  });
}
