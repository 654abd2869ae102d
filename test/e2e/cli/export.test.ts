/** What somebody has made by hand, taken over into a project as a new user does it. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built, type Ended, run, tenancy } from "../../support/built-command";
import { writes } from "../../support/projects";

const root = resolve(__dirname, "../../..");

let folder: string;
let service: Simulator;

beforeAll(built);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-export-")));
  service = await startSimulator();
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test("a project imports 30 tenants made by hand, and a change in the code is the only change", async () => {
  for (let number = 1; number <= 30; number++) {
    const name = `tenant ${number}`;
    service.records.createAccount({ name, limits: { vss_num: number } });
    for (const username of ["jane", "csi"])
      service.records.createProfile(name, { username, email: `${username}@tenant${number}.example` });
  }
  const made = await tenancy(["init", ".", "--base-url", service.baseUrl], {
    folder,
  });
  expect(made.code).toBe(0);
  await mkdir(join(folder, "node_modules", "@swc"), { recursive: true });
  for (const name of ["cdktf", "constructs", "typescript", "@types", "@swc/core"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  await symlink(root, join(folder, "node_modules", "tenancy"), "dir");
  await writeFile(
    join(folder, "platform.ts"),
    PLATFORM.replace("BASE_URL", service.baseUrl).replace("TENANTS", ""),
  );

  const exported = await here("export", "--out", "tenants", "--account", "tenant *");
  expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining("tenants(this)") as string });
  const platform = PLATFORM.replace("BASE_URL", service.baseUrl)
    .replace("import type", 'import { tenants } from "./tenants";\nimport type')
    .replace("TENANTS", "tenants(this);");
  await writeFile(join(folder, "platform.ts"), platform);
  const compiled = await run(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.json"],
    { folder },
  );
  expect(compiled.stdout.split("\n").filter((line) => /^(?:tenants|platform\.ts)/.test(line))).toEqual([]);

  expect(await here("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  const before = service.requests.length;
  expect(await here("apply", "--yes")).toMatchObject({ code: 0 });
  expect(writes(service.requests.slice(before))).toEqual([]);

  // The stack uses the files by now: they are compared all the same, and nothing is exported twice.
  const again = ["export", "--account", "tenant *", "--out"];
  expect(await here(...again, "tenants", "--check")).toMatchObject({ code: 0, stdout: "" });
  expect(await here(...again, "more")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("Nothing is left to export") as string,
  });

  await writeFile(
    join(folder, "platform.ts"),
    platform.replace(
      "tenants(this);",
      'tenants(this).tenant7.addUser("new", { permissions: Permissions.none() });',
    ),
  );
  // The state has recorded the imports, so plans list them no more.
  const changed = await here("plan", "--detailed-exitcode");
  expect(changed).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("\n1 to create.\n") as string,
  });
});

function here(...words: readonly string[]): Promise<Ended> {
  const environment = { TENANCY_USERNAME: service.username, TENANCY_PASSWORD: service.password };
  return tenancy(words, { folder, environment });
}

const PLATFORM = `import { TerraformStack } from "cdktf";
import { Permissions, TenancyProvider } from "tenancy";
import type { Construct } from "constructs";

export class Platform extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new TenancyProvider(this, "service", { baseUrl: "BASE_URL", owner: "acme-platform" });
    void Permissions;
    TENANTS
  }
}
`;
