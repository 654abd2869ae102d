import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSimulator, type Simulator } from "../../../src/simulator";
import { built, run, tenancy } from "../../support/built-command";
import { machineEnvironment } from "../../support/machine-environment";

const root = resolve(__dirname, "../../..");
const NPM = {
  ...machineEnvironment(),
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "error",
};

let folder: string;
let service: Simulator;

beforeAll(async () => {
  await built();
  folder = await mkdtemp(join(tmpdir(), "tenancy-init-"));
  service = await startSimulator();
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test("what init makes installs, passes its own test, and plans", async () => {
  const made = await tenancy(
    ["init", "platform", "--owner", "acme-platform", "--base-url", service.baseUrl],
    { folder },
  );
  expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining("platform.test.ts\n") as string });
  const project = join(folder, "platform");

  const packed = await npm(["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], root);
  const tarball = join(folder, packed.trim());
  const manifest = join(project, "package.json");
  const text = await readFile(manifest, "utf8");
  await writeFile(
    manifest,
    text.replace(/("cdktf-provider-tenancy": )"[^"]+"/, `$1${JSON.stringify(`file:${tarball}`)}`),
  );

  await npm(["install"], project);
  expect(await npm(["test"], project)).toBeDefined();
  const environment = {
    ...NPM,
    TENANCY_USERNAME: service.username,
    TENANCY_PASSWORD: service.password,
  };
  const planned = await run("npx", ["tenancy", "plan"], { folder: project, environment });
  expect(planned.stderr).not.toContain("Error");
  expect(planned.stdout).toContain("  + tenancy_account.acme");
  expect(planned.stdout).toMatch(/\n4 to create\.\n$/);
});

/** @returns what npm printed */
async function npm(words: readonly string[], where: string): Promise<string> {
  const { code, stdout, stderr } = await run("npm", words, { folder: where, environment: NPM });
  if (code !== 0) throw new Error(`npm ${words.join(" ")} failed:\n${stdout}\n${stderr}`);
  return stdout;
}
