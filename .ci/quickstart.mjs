/**
 * Shows in one go what the project does: declares the tenants of examples/company to a service that is started for it, plans, applies,
 * and plans again. Leaves nothing behind but what .gitignore names.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setup } from "./setup.mjs";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "tenancy-quickstart-"));
const store = join(folder, "credentials.json");

setup();
// Only now is there what the build needs.
const { build } = await import("./build.mjs");
step("Building");
await build({ ifStale: true });

step("A storage service to play with");
const service = await startService();
let ended;
try {
  step("What would change?");
  ended = tenancy("plan");
  step("Make it so");
  ended ||= tenancy("apply", "--yes");
  step("The secret of a token, as a script takes it");
  ended ||= tenancy("output", "csi_token", "--raw");
  console.log();
  step("Once more: what is declared is what is live");
  ended ||= tenancy("plan", "--detailed-exitcode");
} finally {
  service.process.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = ended;

/** The command as users have it, on the project of this folder. */
function tenancy(...words) {
  const command = ["tenancy", ...words, "--store", store];
  console.log(`$ npx ${command.join(" ")}`);
  const { status } = spawnSync(process.execPath, [join(root, "lib/cli/tenancy.js"), ...command.slice(1)], {
    cwd: root,
    env: { ...withoutOurs(process.env), ...service.environment, TF_VAR_first_password: "change-me-soon" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  console.log();
  return status ?? 1;
}

/** What somebody has set for a service of his own must not get into this one. */
function withoutOurs(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("TENANCY_")));
}

/** What the service prints is what goes into the environment. */
async function startService() {
  console.log("$ npx tenancy simulator");
  const process_ = spawn(process.execPath, [join(root, "lib/cli/tenancy.js"), "simulator"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const environment = {};
  for await (const line of createInterface({ input: process_.stdout })) {
    console.log(line);
    const [name, value] = line.split("=");
    environment[name] = value;
    if (name === "TENANCY_PASSWORD") break;
  }
  console.log();
  if (environment.TENANCY_PASSWORD === undefined) throw new Error("the service did not start");
  return { process: process_, environment };
}

function step(title) {
  console.log(`# ${title}`);
}
