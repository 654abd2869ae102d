/** The story of the embedded engine: the built command, a project that `init` wrote, and the embedded service in a process of its own. */
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { name as packageName } from "../../../package.json";
import { built, type Ended, tenancy } from "../../support/built-command";
import { type SimulatorProcess, startSimulatorProcess } from "../../support/simulator-process";
import { temporaryFolder } from "../../support/temp-folder";

const ROOT = resolve(__dirname, "../../..");

const folder = temporaryFolder();
let service: SimulatorProcess;

beforeAll(built);
beforeEach(async () => {
  service = await startSimulatorProcess();
});
afterEach(() => service.stop());

test("a first tenant is planned, applied, changed in code, compared, and destroyed", async () => {
  await expectCode(0, "init", ".", "--base-url", service.baseUrl, "--ci", "none");
  await linkPackages();

  expect((await expectCode(2, "plan", "--detailed-exitcode")).stdout).toContain("4 to create.");
  expect((await expectCode(0, "apply", "--yes")).stdout).toContain("Applied: 4 created.");
  expect((await expectCode(0, "plan", "--detailed-exitcode")).stdout).toContain("No changes.");
  expect((await expectCode(0, "output", "csi_token", "--raw")).stdout).toMatch(/^1\/[\w/+]+/);

  const file = join(folder(), "platform.ts");
  const code = await readFile(file, "utf8");
  expect(code).toContain("vssNum: 10");
  await writeFile(file, code.replace("vssNum: 10", "vssNum: 20"));
  expect((await expectCode(3, "drift")).stdout).toContain("10 -> 20");
  expect((await expectCode(0, "apply", "--yes")).stdout).toContain("Applied: 1 updated.");
  await expectCode(0, "drift");

  const destroyed = await expectCode(0, "destroy", "--yes", "--allow-account-deletion", "--max-deletes", "5");
  expect(destroyed.stdout).toContain("Applied: 4 deleted.");
});

/** Puts the packages there that `npm install` would put there: this one, and the libraries that it works with. */
async function linkPackages(): Promise<void> {
  const modules = join(folder(), "node_modules");
  await mkdir(join(modules, "@swc"), { recursive: true });
  for (const name of ["cdktf", "constructs", "@swc/core"])
    await symlink(join(ROOT, "node_modules", name), join(modules, name), "dir");
  await symlink(ROOT, join(modules, packageName), "dir");
}

/** Runs the command in the project. It has to end with this exit code. */
async function expectCode(code: number, ...words: readonly string[]): Promise<Ended> {
  const environment = { TENANCY_USERNAME: service.username, TENANCY_PASSWORD: service.password };
  const ended = await tenancy(words, { folder: folder(), environment });
  if (ended.code !== code)
    throw new Error(`${words.join(" ")} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`);
  return ended;
}
