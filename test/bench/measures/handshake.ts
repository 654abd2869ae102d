/** From the start of the installed provider to its greeting, against a Node that says one line and no more. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { version } from "../../../package.json";
import { createCertificate } from "../../../src/lib/plugin-runtime/certificate";
import { MAGIC_COOKIE } from "../../support/plugin-process";
import type { Measure } from "../measure";
import { comparePairs } from "../support/pairs";
import { inherited, type Cost } from "../support/run";

const LAUNCHER = join(
  resolve(__dirname, "../../.."),
  "lib",
  "plugin",
  `terraform-provider-tenancy_v${version}`,
);

export const measure: Measure = {
  runs: 21,
  async take(_workplace, runs) {
    const certificate = createCertificate().pem;
    const what = "handshake of the provider / node that prints a line";
    const bare = () =>
      firstLine(process.execPath, ["--eval", "console.log(1); setInterval(() => {}, 1e6)"], {});
    const ours = () =>
      firstLine(LAUNCHER, [], { TF_PLUGIN_MAGIC_COOKIE: MAGIC_COOKIE, PLUGIN_CLIENT_CERT: certificate });
    return [await comparePairs({ what, goal: 1.8, bare, ours }, runs)];
  },
};

async function firstLine(
  program: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Cost> {
  const begun = performance.now();
  const child = spawn(program, words, {
    env: { ...inherited(), ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  await once(child.stdout, "data");
  const milliseconds = performance.now() - begun;
  const processor = processorMilliseconds(child.pid ?? 0);
  child.kill("SIGKILL");
  await exited;
  return { milliseconds, ...(processor !== undefined && { processorMilliseconds: processor }) };
}

/** What the threads of a running process have taken so far; known on Linux. */
function processorMilliseconds(pid: number): number | undefined {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return undefined;
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, "schedstat"), "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
