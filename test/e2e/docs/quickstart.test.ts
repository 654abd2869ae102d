/** `npm run quickstart`: covers .ci/quickstart.mjs. Its commands to try next have to work as they are printed. */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startSimulator } from "../../../src/lib/simulator";
import { run } from "../../support/built-command";
import { blocksOf } from "../../support/pages";
import { temporaryFolder } from "../../support/temp-folder";

const ROOT = resolve(__dirname, "../../..");

/** Inside the clone, where the packages are found. A visitor's own copy stays as it is. */
const COPY = ".tenancy/quickstart-test";

const home = temporaryFolder();
afterEach(() => rm(join(ROOT, COPY), { recursive: true, force: true }));

/** Runs a script in the clone, as a visitor does who has never used npm before. */
async function succeed(script: string): Promise<string> {
  // Settings for a service of the visitor's own must not matter, nor that this may be a CI job.
  const environment = {
    HOME: home(),
    CI: "true",
    TENANCY_OWNER: "another",
    TF_VAR_first_password: "of another service",
  };
  const { code, stdout, stderr } = await run("sh", ["-c", script], { folder: ROOT, environment });
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

test("the quickstart ends with the plan of a change, its page, and three commands that work as printed", async () => {
  const printed = await succeed(`node .ci/quickstart.mjs ${COPY}`);

  // Each step has its title and how long it took.
  expect(printed.match(/^\[\d\/6\] .+ … \d+\.\d s$/gm)).toHaveLength(6);
  expect(printed).toContain("Applied: 18 created.");
  expect(printed).toContain("No changes.");

  const change = /limits_vss_num +20 -> 40\n/;
  expect(printed).toMatch(/ ~ csi@shop +gains +vss\.format_disks \(destructive\)\n/);
  expect(printed).toMatch(change);
  expect(printed).toContain("\n2 to update.\n");

  const page = join(ROOT, COPY, "plan.html");
  expect(printed).toContain(`\n  ${page}\n`);
  expect(await readFile(page, "utf8")).toContain("format_disks");

  const commands = [...printed.matchAll(/^ {4}(\(cd .+\))$/gm)].map(([, command]) => command);
  const [report = "", plan = "", token = "", ...more] = commands;
  expect(more).toEqual([]);
  expect(await succeed(report)).toMatch(/^ +csi@shop /m);
  expect(await succeed(plan)).toMatch(change);
  expect(await succeed(token)).toContain("kind: Secret\n");

  // A change of the visitor's own, in the file that is named.
  expect(printed).toContain(`edit ${COPY}/main.ts`);
  const file = join(ROOT, COPY, "main.ts");
  await writeFile(file, (await readFile(file, "utf8")).replace("vssNum: 40", "vssNum: 50"));
  expect(await succeed(plan)).toMatch(/limits_vss_num +20 -> 50\n/);
});

test("with the embedded engine, the pipeline of example 8 restarts the program after a rotation, and not otherwise", async () => {
  const service = await startSimulator();
  const [step] = blocksOf("examples/08-terraform/README.md").filter(({ language }) => language === "bash");
  const login = `TENANCY_BASE_URL=${service.baseUrl} TENANCY_USERNAME=system TENANCY_PASSWORD=system`;
  const pipeline = () => succeed(`unset CI; export ${login}; cd ${COPY}\n${step?.text ?? ""}`);
  await succeed(`mkdir -p .tenancy && cp -R examples/08-terraform ${COPY}`);
  expect(await pipeline()).toContain("Restarted for the token");
  expect(await pipeline()).not.toContain("Restarted");
  await succeed(`sed -i.bak s/2026-Q1/2026-Q2/ ${COPY}/main.ts`);
  expect(await pipeline()).toMatch(/Applied: 1 updated\.[^]*Restarted for the token/);
  await service.close();
});

test("a step that fails shows the error of its command, and the service is stopped", async () => {
  const script = `PATH="${home()}:$PATH" node .ci/quickstart.mjs ${COPY}`;
  await writeFile(join(home(), "npx"), "#!/bin/sh\necho no npx today >&2\nexit 1\n", { mode: 0o755 });
  await expect(succeed(script)).rejects.toThrow(/`npx tenancy apply --yes` failed:[^]*no npx today/);
  expect(existsSync(join(ROOT, COPY, "plan.html"))).toBe(false);
});
