/**
 * A team's road, walked as a new user would: a service with tenants made by hand, its report, its export, import, a change in code, drift by
 * hand that is seen and healed, a tenant that is offboarded, and the report afterwards. With the built command.
 */
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startSimulator, type Simulator } from "../../../src/lib/simulator";
import { built, type Ended, tenancy } from "../../support/built-command";

const root = resolve(__dirname, "../../..");
const TENANTS = 30;

let folder: string;
let service: Simulator;

beforeAll(built);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-road-")));
  service = await startSimulator();
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test("30 tenants made by hand are reported, exported, imported, changed, watched over, healed, and one of them is offboarded", async () => {
  for (let number = 1; number <= TENANTS; number++) {
    service.records.createAccount({ name: `tenant${number}`, limits: { vss_num: number } });
    for (const username of ["jane", "csi"])
      service.records.createProfile(`tenant${number}`, {
        username,
        email: `${username}@tenant${number}.example`,
      });
  }
  const environment = { TENANCY_BASE_URL: service.baseUrl };
  await expectCode(0, "init", ".", "--base-url", service.baseUrl, "--ci", "none");
  await mkdir(join(folder, "node_modules", "@swc"), { recursive: true });
  for (const name of ["cdktf", "constructs", "@swc/core"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  await symlink(root, join(folder, "node_modules", "tenancy"), "dir");
  await declare("");

  // Who may do what, before anything is declared.
  const before = await report(environment);
  expect(before.users).toHaveLength(2 * TENANTS + before.accounts.length);
  expect(before.users.filter(({ ownership }) => ownership.claim === "unmanaged")).toHaveLength(
    before.users.length,
  );

  // What is there becomes code, and the code changes nothing.
  await expectCode(0, "export", "--out", "tenants", "--account", "tenant*");
  await declare("tenants(this);");
  await expectCode(0, "plan", "--detailed-exitcode");
  await expectCode(0, "apply", "--yes");
  await expectCode(0, "drift");

  // The first change in code.
  const change =
    'const all = tenants(this); all.tenant7.addUser("new", { permissions: Permissions.none() });';
  await declare(change);
  await expectCode(3, "drift");
  const applied = await expectCode(0, "apply", "--yes");
  expect(applied.stdout).toContain("Applied: 1 created.");
  await expectCode(0, "drift");

  // Somebody changes something by hand: it is seen, and healed.
  service.records.patchProfile("jane@tenant3", { email: "eve@elsewhere.example" });
  const seen = await expectCode(2, "drift");
  expect(seen.stdout).toContain("jane@tenant3");
  expect(seen.stdout).toContain("eve@elsewhere.example");
  await expectCode(0, "apply", "--yes");
  expect(service.records.profile("jane@tenant3").email).toBe("jane@tenant3.example");
  await expectCode(0, "drift");

  // A tenant leaves, with the users that were in it.
  const { id } = service.records.account("tenant30");
  const index = join(folder, "tenants", "index.ts");
  const text = await readFile(index, "utf8");
  await writeFile(
    index,
    text
      .split("\n")
      .filter((line) => !line.includes("tenant30"))
      .join("\n"),
  );
  await declare(`${change}\n    new Deletion(this, "left", { account: "tenant30", id: "${id}" });`);
  // The state has recorded all of them, so they are deleted as managed objects are.
  expect((await expectCode(0, "plan")).stdout).toContain("3 to delete, 4 records deleted in total.");
  const gone = await expectCode(0, "apply", "--yes");
  expect(gone.stdout).toContain("jane@tenant30");

  // Who may do what afterwards: one tenant less, one user more, and everything else is declared.
  const after = await report(environment);
  expect(after.accounts.map(({ name }) => name)).not.toContain("tenant30");
  expect(after.users).toHaveLength(before.users.length - 3 + 1);
  expect(after.users.find(({ login }) => login === "new@tenant7")?.ownership).toMatchObject({
    claim: "managed",
    declared: true,
  });
  // The state has recorded all of them, and the new user.
  const recorded = after.users.filter(({ ownership: { claim } }) => claim === "managed");
  expect(recorded).toHaveLength(3 * (TENANTS - 1) + 1);
});

async function declare(statement: string): Promise<void> {
  await writeFile(
    join(folder, "platform.ts"),
    `import { TerraformStack } from "cdktf";
import { Permissions, Deletion, TenancyProvider } from "tenancy";
${statement === "" ? "" : 'import { tenants } from "./tenants";\n'}import type { Construct } from "constructs";

export class Platform extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new TenancyProvider(this, "service", { baseUrl: "${service.baseUrl}", owner: "acme-platform" });
    void [Permissions, Deletion];
    ${statement}
  }
}
`,
  );
}

interface Report {
  readonly accounts: readonly { readonly name: string }[];
  readonly users: readonly {
    readonly login: string;
    readonly ownership: {
      readonly claim: string;
      readonly owner: string | null;
      readonly declared: boolean | null;
    };
  }[];
}

async function report(environment: Readonly<Record<string, string>>): Promise<Report> {
  const { code, stdout, stderr } = await here(["report", "--json"], environment);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { services } = JSON.parse(stdout) as { readonly services: readonly [Report] };
  return services[0];
}

async function expectCode(code: number, ...words: readonly string[]): Promise<Ended> {
  const ended = await here(words);
  if (ended.code !== code)
    throw new Error(`${words.join(" ")} ended with ${ended.code}: ${ended.stdout}${ended.stderr}`);
  return ended;
}

function here(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const environment = { TENANCY_USERNAME: service.username, TENANCY_PASSWORD: service.password, ...more };
  return tenancy(words, { folder, environment });
}
