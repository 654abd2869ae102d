/** Services that read a gap of the specification in another way: covers src/api/references.ts, in whole runs. */
import { Deletion, Permissions, Tenant, UserProfile } from "tenancy";
import { drift, exportLive, report } from "../../src/engine";
import { actions, findings, projects, type Build, type Project, RECKLESS, writes } from "../support/projects";

const start = projects();

const acme =
  (level = 2, more: object = {}): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.accountAdmin(),
      users: { jane: { level, email: "jane@acme.example", permissions: Permissions.operator() } },
      tokens: { "jane-prod": { user: "jane" } },
      ...more,
    });

/** The conclusions of the read-only commands, which the form of answers does not change. */
async function conclusions(project: Project) {
  const source = project.synthesize(acme());
  const options = { ...project.options(), isWanted: (name: string) => name === "acme" };
  const { files } = await exportLive(
    project.synthesize(() => undefined),
    options,
  );
  const { drift: differences, status } = await drift(source, options);
  const { services } = await report([source], options);
  const users = services.flatMap((one) => one.users.map(({ login, rights }) => [login, rights]));
  return { files: [...files.values()], status, differences, users };
}

describe.each(["referencesBySerial", "referencesByUuid"] as const)("a service with %s", (behavior) => {
  test("is planned, updated, imported, and emptied as any other", async () => {
    const project = await start({ behaviors: [behavior] });
    const { records } = project.service;
    await project.apply(acme());
    expect(actions(await project.plan(acme()))).toEqual([]);
    const ordinary = await start();
    await ordinary.apply(acme());
    expect(await conclusions(project)).toEqual(await conclusions(ordinary));
    const { requests } = await project.apply(acme(3));
    expect(writes(requests)).toEqual([`PATCH /api/user-profile/${records.profile("jane@acme").id}`]);
    expect(records.profile("jane@acme").level).toBe(3);
    expect(actions(await project.plan(acme(3), { verifyTokens: true }))).toEqual([]);

    records.createProfile("acme", { username: "lara", permissions: {} });
    const withLara: Build = (stack) => {
      acme(3)(stack);
      const account_id = records.account("acme").id;
      const profile = new UserProfile(stack, "lara", {
        username: "lara",
        accountId: account_id,
        permissions: {},
      });
      profile.importFrom("lara@acme");
    };
    await project.apply(withLara);
    expect(actions(await project.plan(withLara))).toEqual([]);
    const { id } = records.profile("lara@acme");
    await project.apply((stack) => {
      acme(3)(stack);
      new Deletion(stack, "lara", { login: "lara@acme", id });
    });
    expect(() => records.profile("lara@acme")).toThrow();
    await project.apply(() => undefined, RECKLESS);
    expect(records.profiles.map(({ login }) => login)).toEqual(["system"]);
  });
});

test.each([
  ["numbersAsText", /is a string, not an integer/],
  ["booleansAsText", /is a string, not true or false/],
  ["booleansAsNumbers", /is a number, not true or false/],
] as const)(
  "a service with %s is an error that names object, member and types, before any write",
  async (behavior, message) => {
    const project = await start({ behaviors: [behavior] });
    const [finding] = await findings(project.plan(acme()));
    expect(finding?.summary).toMatch(message);
    expect(finding?.summary).toMatch(/ of "system" in element 0 of the list/);
    expect(writes(project.service.requests)).toEqual([]);
  },
);

test("a permission that is served as text is an error, and never counts as denied", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.fail({
    path: "/api/user-profile",
    alter: (body) =>
      (body as { login: string; permissions: { vss: { rights: object } } }[]).map((one) =>
        one.login === "jane@acme"
          ? { ...one, permissions: { ...one.permissions, vss: { rights: { format_disks: "true" } } } }
          : one,
      ),
  });
  const [finding] = await findings(report([project.synthesize(acme())], project.options()));
  expect(finding?.summary).toContain(
    'permissions.vss.rights.format_disks of "jane@acme" in element 2 of the list is a string, not true or false',
  );
});
