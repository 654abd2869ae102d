/**
 * Shows in one go what the project does: applies a copy of examples/04-company to a service that is started for it, changes the copy, and plans
 * the change. The copy stays, with a snapshot of the service, so that the commands that are printed at the end need no service.
 * Another folder of this clone can be given for the copy: `npm run quickstart -- FOLDER`.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { build } from "./build.mjs";
import { step } from "./progress.mjs";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(root, process.argv[2] ?? ".tenancy/quickstart");
const place = relative(root, folder);
const page = join(folder, "plan.html");
const command = join(root, "lib/cli/tenancy.js");

/** The change, as lines of main.ts: what they are, and what they become. */
const CHANGE = [
  [
    `limits: { vssNum: 20, sizeReserveTotal: 50_000_000_000_000 },`,
    `limits: { vssNum: 40, sizeReserveTotal: 50_000_000_000_000 },`,
  ],
  [
    `csi: machine("vss.update_vss", "vss.manage_internal_disks", "vss.manage_snapshots"),`,
    `csi: machine("vss.update_vss", "vss.manage_internal_disks", "vss.manage_snapshots", "vss.format_disks"),`,
  ],
];

/** Commands that work in this clone after the quickstart, each by itself. */
const NEXT = [
  ["Who can do what, and which access needs attention:", "report --from-snapshot snapshot.json"],
  [`Your own change: edit ${place}/main.ts, then plan it:`, "plan --from-snapshot snapshot.json"],
  [
    "A token, written as the Kubernetes Secret that a storage driver reads:",
    "token write csi-prod --as kubernetes --namespace storage",
  ],
];

/** Stops the service; does nothing before the service has started. */
let stopService = () => undefined;

try {
  await quickstart();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  stopService();
}

async function quickstart() {
  await step("[1/6] Build the command and the library", () => build({ ifStale: true }));
  const { origin, environment } = await step("[2/6] Start the embedded storage service", startService);
  show(`${origin}, where no tenant exists yet`);

  copyExample(origin);
  const applied = await step("[3/6] Apply examples/04-company: 3 tenants, 12 users, 3 tokens", () =>
    tenancy(environment, "apply", "--yes"),
  );
  show("$ npx tenancy apply --yes", /^Applied: .*$/m.exec(applied)[0]);
  const again = await step("[4/6] Plan again: nothing is left to do", () =>
    tenancy(environment, "plan", "--detailed-exitcode"),
  );
  show("$ npx tenancy plan --detailed-exitcode", /^No changes\..*$/m.exec(again)[0]);
  await step("[5/6] Save a snapshot of the service", () =>
    tenancy(environment, "snapshot", "--out", "snapshot.json"),
  );
  show("$ npx tenancy snapshot --out snapshot.json");

  edit(CHANGE);
  const planned = await step("[6/6] Plan a small change: a larger quota, and one more right", () =>
    tenancy(environment, "plan", "--html", page),
  );
  show(...CHANGE.flatMap(([before, after]) => [`- ${before}`, `+ ${after}`]));
  show("$ npx tenancy plan --html plan.html");
  console.log(`\n${planned}`);

  console.log(`The same plan as a page, for your browser:\n  ${page}\n`);
  console.log("Try next. The service has stopped; these commands read its snapshot and the state:");
  for (const [about, words] of NEXT) console.log(`\n  ${about}\n    (cd ${place} && npx tenancy ${words})`);
  console.log(`\nThe next \`npm run quickstart\` replaces ${place}.`);
}

/** Prints lines under the title of a step. */
function show(...lines) {
  for (const line of lines) console.log(`      ${line}`);
}

/** A project of its own, which may be edited. It names the service's address, and the password that its people begin with. */
function copyExample(origin) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["cdktf.json", "main.ts", "team.ts"])
    cpSync(join(root, "examples/04-company", name), join(folder, name));
  edit([
    [
      `new TenancyProvider(this, "service")`,
      `new TenancyProvider(this, "service", { baseUrl: "${origin}" })`,
    ],
  ]);
  writeFileSync(join(folder, "terraform.tfvars"), `first_password = "change-me-soon"\n`);
}

/** Replaces texts of the copy. */
function edit(replacements) {
  const file = join(folder, "main.ts");
  let text = readFileSync(file, "utf8");
  for (const [before, after] of replacements) {
    if (!text.includes(before)) throw new Error(`examples/04-company/main.ts no longer contains: ${before}`);
    text = text.replace(before, after);
  }
  writeFileSync(file, text);
}

/** Runs the command as users have it, in the folder of the copy. @returns what it printed on stdout */
async function tenancy(environment, ...words) {
  const options = { cwd: folder, env: environment, maxBuffer: 2 ** 24 };
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...words], options).catch(
    ({ stdout, stderr }) => {
      throw new Error(`\`npx tenancy ${words.join(" ")}\` failed:\n${stdout}${stderr}`);
    },
  );
  return stdout;
}

/** Starts the service. @returns its address, and the environment for commands that work with it */
async function startService() {
  const service = spawn(process.execPath, [command, "simulator"], { stdio: ["ignore", "pipe", "inherit"] });
  stopService = () => service.kill();
  const printed = {};
  for await (const line of createInterface({ input: service.stdout })) {
    const [name, value] = line.split("=");
    printed[name] = value;
    if (name === "TENANCY_PASSWORD") break;
  }
  if (printed.TENANCY_PASSWORD === undefined) throw new Error("the embedded service did not start");
  // Settings for another service must not reach this one. The copy keeps its state, so a CI job may create tokens here, too.
  const others = Object.entries(process.env).filter(([name]) => !/^((TENANCY|TF_VAR)_|CI$)/.test(name));
  return { origin: printed.TENANCY_BASE_URL, environment: { ...Object.fromEntries(others), ...printed } };
}
