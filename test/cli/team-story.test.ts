/** A team takes over a service that has users: 12 tenants and 300 users that were made by hand, in three environments. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/lib/simulator";
import { commandProjects, type Printed } from "../support/command";

const start = commandProjects();
const others: Simulator[] = [];
afterEach(async () => {
  for (const service of others.splice(0)) await service.close();
});

const ENVIRONMENTS = ["dev", "staging", "production"] as const;
const TENANTS_OF_EACH = 4;
const USERS_OF_EACH = 25;
const APPROVAL = ["--require-approval", "broadening"] as const;

interface Code {
  /** Login of a user who is not declared. */
  readonly without?: string;
  /** Quota of the first tenant. */
  readonly vssNum?: number;
}

/** The stack of an environment, as an export writes it: its tenants and users with their import blocks. */
function stackOf({ baseUrl, records }: Simulator, { without, vssNum }: Code) {
  const tenants = records.accounts.filter(({ name }) => name.startsWith("tenant"));
  const names = new Map(tenants.map(({ id, name }) => [id, name]));
  const users = records.profiles.filter(
    ({ account_id: id, login, account_admin: isPrimary }) =>
      names.has(id) && !isPrimary && login !== without && !login.startsWith("eve@"),
  );
  const block = (login: string) => login.replace("@", "_");
  const importOf = (address: string, id: string) => ({ to: address, id });
  return {
    provider: { tenancy: [{ base_url: baseUrl, owner: "platform" }] },
    resource: {
      tenancy_account: Object.fromEntries(
        tenants.map(({ name }, index) => [
          name,
          { name, ...(index === 0 && vssNum !== undefined && { limits_vss_num: vssNum }) },
        ]),
      ),
      tenancy_user_profile: Object.fromEntries(
        users.map(({ login, account_id: id }) => [
          block(login),
          { username: login.split("@")[0], account_id: `\${tenancy_account.${names.get(id)}.id}` },
        ]),
      ),
    },
    import: [
      ...tenants.map(({ name }) => importOf(`tenancy_account.${name}`, name)),
      ...users.map(({ login }) => importOf(`tenancy_user_profile.${block(login)}`, login)),
    ],
  };
}

test("everything is imported and approved once, and from then on managed like what the team made itself", async () => {
  const project = await start();
  others.push(await startSimulator(), await startSimulator());
  const services = [project.service, ...others];
  services.forEach(({ records }, environment) => {
    for (let tenant = 0; tenant < TENANTS_OF_EACH; tenant++) {
      const { name } = records.createAccount({ name: `tenant${environment}${tenant}` });
      for (let user = 0; user < USERS_OF_EACH; user++)
        records.createProfile(name, { username: `user${user}` });
    }
  });
  const declare = (code: Code = {}) =>
    project.declare(
      Object.fromEntries(
        ENVIRONMENTS.map((name, index) => {
          const service = services[index] ?? project.service;
          return [name, stackOf(service, name === "dev" ? code : {})];
        }),
      ),
    );
  const run = async (code: number, ...words: readonly string[]): Promise<Printed> => {
    const printed = await project.tenancy(words);
    if (printed.code !== code)
      throw new Error(`${words.join(" ")}: ${printed.code}\n${printed.stdout}${printed.stderr}`);
    return printed;
  };
  const approve = async (stack: string) => {
    await run(0, "plan", stack, "--out", `${stack}.json`);
    await run(0, "approve", `${stack}.json`, "--yes");
  };

  // Export: a file for each tenant. The plan of such code has imports alone.
  await run(0, "export", "--out", "tenants", "--account", "tenant*");
  expect(
    (await readdir(join(project.folder, "tenants"))).filter((file) => file.startsWith("tenant")),
  ).toHaveLength(TENANTS_OF_EACH);
  await declare();
  const imports = TENANTS_OF_EACH * (1 + USERS_OF_EACH);
  const planned = await run(0, "plan", "dev");
  expect(planned.stdout).toContain("No changes.");
  expect(planned.stdout).toContain(`${imports} imported.`);

  // Approved once, then applied in the order in which the app creates the stacks.
  expect((await run(3, "apply", "dev", "--yes", ...APPROVAL)).stderr).toContain(
    "imports user user0@tenant00 (",
  );
  for (const stack of ENVIRONMENTS) await approve(stack);
  const applied = await run(0, "apply", "*", "--yes", ...APPROVAL);
  const places = ENVIRONMENTS.map((name) => (applied.stdout + applied.stderr).indexOf(name));
  expect(places).toEqual([...places].sort((a, b) => a - b));

  // A quota changes: no import is listed, and nothing has to be approved.
  await declare({ vssNum: 7 });
  const quota = await run(0, "plan", "dev");
  expect(quota.stdout).toContain("1 to update.");
  expect(quota.stdout).not.toContain("import");
  await run(0, "apply", "dev", "--yes", ...APPROVAL);

  // An imported user leaves the code: listed, approved, deleted.
  const without = "user3@tenant01";
  await declare({ vssNum: 7, without });
  expect((await run(0, "plan", "dev")).stdout).toContain("no longer declared · imported");
  expect((await run(3, "apply", "dev", "--yes", ...APPROVAL)).stderr).toContain(
    `deletes imported ${without} (`,
  );
  await approve("dev");
  await run(0, "apply", "dev", "--yes", ...APPROVAL);
  expect(project.service.records.profiles.map(({ login }) => login)).not.toContain(without);
  await run(0, "drift", "dev");

  // A user made by hand is drift.
  project.service.records.createProfile("tenant00", { username: "eve" });
  const drift = await run(2, "drift", "dev");
  expect(drift.stdout).toContain("eve@tenant00");
  expect(drift.stdout).toContain("1 unmanaged.");
}, 180_000);
