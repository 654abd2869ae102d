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
  /** A login, and whether its user is suspended. */
  readonly suspended?: readonly [login: string, isSuspended: boolean];
}

/** The stack of an environment, as an export writes it: its tenants and users with their import blocks. */
function stackOf(
  { baseUrl, records }: Simulator,
  { without, vssNum, suspended: [who, isSuspended] = ["", false] }: Code,
) {
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
          {
            username: login.split("@")[0],
            account_id: `\${tenancy_account.${names.get(id)}.id}`,
            // As the constructs write `suspended`.
            ...(login === who && {
              ...{ "//": { tenancy: { suspended: isSuspended } } },
              ...{ access_web: !isSuspended, access_api: !isSuspended },
            }),
          },
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
  expect(planned.stdout).toContain(`${imports} to import.`);

  // Approved once, then applied in the order in which the app creates the stacks.
  expect((await run(3, "apply", "dev", "--yes", ...APPROVAL)).stderr).toContain(
    "{ import: user0@tenant00, id: ",
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

  // An imported user leaves the code: listed, and deleted without an approval.
  const without = "user3@tenant01";
  await declare({ vssNum: 7, without });
  expect((await run(0, "plan", "dev")).stdout).toContain("no longer declared");
  await run(0, "apply", "dev", "--yes", ...APPROVAL);
  expect(project.service.records.profiles.map(({ login }) => login)).not.toContain(without);
  await run(0, "drift", "dev");

  // A user made by hand is drift.
  project.service.records.createProfile("tenant00", { username: "eve" });
  const drift = await run(2, "drift", "dev");
  expect(drift.stdout).toContain("eve@tenant00");
  expect(drift.stdout).toContain("1 unmanaged.");
  project.service.records.deleteProfile("eve@tenant00");

  // A level that was raised by hand stays visible, whatever is applied, until somebody accepts it.
  const raised = "user1@tenant00";
  project.service.records.patchProfile(raised, { level: 70 });
  const listed = `undeclared privileges of "${raised}" were changed outside Tenancy: level 0 -> 70`;
  await declare({ vssNum: 8, without });
  for (const _apply of ["an update", "nothing to do"])
    expect((await run(0, "apply", "dev", "--yes", ...APPROVAL)).stdout).toContain(listed);
  expect((await run(2, "drift", "dev")).stdout).toContain("1 with privileges that are not accepted.");
  const accepting = ["drift", "dev", "--accept", `${raised}.level`, ...APPROVAL];
  const refused = await run(3, ...accepting);
  expect(refused.stderr).toContain(`not approved: { user: ${raised}, level: 70, until: never }`);
  const [, path = "", entry = ""] = /(approvals\/\S+\.yaml):\n\n([^]*)$/.exec(refused.stdout) ?? [];
  await project.write(path, `${entry.trimEnd()}\n`);
  expect((await run(0, ...accepting)).stdout).toContain("No drift.");
  expect((await run(0, "plan", "dev")).stdout).not.toContain("privileges");

  // A user is suspended, and comes back with what was there before.
  const suspended = "user2@tenant00";
  const accessOf = (login: string) => project.service.records.profile(login).access;
  await declare({ vssNum: 8, without, suspended: [suspended, true] });
  await run(0, "apply", "dev", "--yes", ...APPROVAL);
  expect(accessOf(suspended)).toEqual({ web: false, api: false });
  await run(0, "drift", "dev");
  await declare({ vssNum: 8, without, suspended: [suspended, false] });
  expect((await run(3, "apply", "dev", "--yes", ...APPROVAL)).stderr).toContain(
    `user: ${suspended}, access: web, until: never`,
  );
  await approve("dev");
  await run(0, "apply", "dev", "--yes", ...APPROVAL);
  expect(accessOf(suspended)).toEqual({ web: true, api: true });
  // Back as it was, the line may go. What nobody declares then is what the apply wrote.
  await declare({ vssNum: 8, without });
  expect((await run(0, "plan", "dev")).stdout).not.toContain("privileges");
}, 240_000);
