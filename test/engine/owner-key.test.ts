/** Ownership that an owner key proves: covers src/ownership/claim.ts in whole runs. */
import { Permissions, Deletion, Tenant } from "tenancy";
import { apply, close, planSaved, savePlan } from "../../src/engine";
import { ownedUuid, parseOwnerKey } from "../../src/ownership";
import { actions, codes, findings, projects, writes, type Build } from "../support/projects";

const start = projects();

const KEY = "the key of the platform team";
const OLD = "the key of the year before";
const keyed = { environment: { TENANCY_OWNER_KEY: KEY } };

const tenant =
  (...users: readonly string[]): Build =>
  (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      users: Object.fromEntries(users.map((user) => [user, { permissions: Permissions.none() }])),
    });
  };

/** The uuid that anybody can compute who knows our names. */
const forged = (username: string, owner = "acme-platform") =>
  ownedUuid({ kind: "user_profile", names: ["acme", username], owner });
const uuidUnder = (key: string, kind: string, ...names: readonly string[]) =>
  ownedUuid({ kind, names, owner: "acme-platform", ownerKey: parseOwnerKey(key) });

test("what is made under an owner key has a uuid that only the key gives, and is recognised by it", async () => {
  const project = await start();
  const { records } = project.service;
  await project.apply(tenant("jane", "bob", "eve"), keyed);
  expect(records.account("acme").uuid).toBe(uuidUnder(KEY, "account", "acme"));
  expect(records.profile("acme").uuid).toBe(uuidUnder(KEY, "primary", "acme"));
  expect(records.profile("jane@acme").uuid).toBe(uuidUnder(KEY, "user_profile", "acme", "jane"));
  expect(actions(await project.plan(tenant("jane", "bob", "eve"), keyed))).toEqual([]);
  const { plan } = await project.apply(tenant("jane", "eve"), keyed);
  expect(actions(plan)).toEqual(['delete tenancy_user_profile.undeclared["bob@acme"]']);
  expect(plan.warnings).toEqual([]);
});

test("an empty key is none, and without a key everything is as it was", async () => {
  const project = await start();
  await project.apply(tenant("jane"), {
    environment: { TENANCY_OWNER_KEY: "" },
  });
  expect(project.service.records.profile("jane@acme").uuid).toBe(forged("jane"));
});

test("a short key is an error before any request", async () => {
  const project = await start();
  const environment = { TENANCY_OWNER_KEY: "fifteen letters" };
  const refused = await findings(project.plan(tenant(), { environment }));
  expect(codes(refused)).toEqual(["TENANCY_INVALID_OWNER_KEY"]);
  expect(JSON.stringify(refused)).not.toMatch(/fifteen letters/);
  expect(project.service.requests).toEqual([]);
});

describe("a tenant's administrator who chooses the uuid that our names give", () => {
  test("gets nothing from our declaration of that user", async () => {
    const project = await start();
    const { records } = project.service;
    await project.apply(tenant("jane"), keyed);
    records.createProfile("acme", { username: "csi", uuid: forged("csi"), password: "the rival's" });
    const before = { ...records.profile("csi@acme") };
    const sent = project.service.requests.length;
    const refused = await findings(project.plan(tenant("jane", "csi"), keyed));
    expect(refused).toMatchObject([
      {
        code: "TENANCY_UNMANAGED",
        address: "tenancy_user_profile.acme_csi",
        detail: expect.stringMatching(/^It was made by another owner/) as string,
        advice: expect.stringMatching(/^Leave it to that owner/) as string,
      },
    ]);
    expect(writes(project.service.requests.slice(sent))).toEqual([]);
    expect(records.profile("csi@acme")).toEqual(before);
  });

  test("cannot have it imported, since it looks like another owner's", async () => {
    const project = await start();
    await project.apply(tenant("jane"), keyed);
    const { id } = project.service.records.createProfile("acme", { username: "csi", uuid: forged("csi") });
    for (const name of ["csi@acme", id]) {
      const build: Build = (stack) => {
        const acme = new Tenant(stack, "acme", {
          name: "acme",
          permissions: Permissions.none(),
          users: {
            jane: { permissions: Permissions.none() },
            csi: { permissions: Permissions.none() },
          },
        });
        acme.user("csi").importFrom(name);
      };
      expect(codes(await findings(project.plan(build, keyed)))).toEqual(["TENANCY_OTHER_OWNER"]);
    }
  });

  test("stops no apply: profiles that look like ours are neither deleted nor counted", async () => {
    const project = await start();
    const { records } = project.service;
    await project.apply(tenant("jane"), keyed);
    for (const username of ["u1", "u2", "u3", "u4", "u5", "u6"])
      records.createProfile("acme", { username, uuid: forged(username) });
    const { plan } = await project.apply(tenant("jane", "joe"), keyed);
    expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_joe"]);
    expect(plan.retained).toEqual([]);
    expect(records.profiles).toHaveLength(10);
    // Without a key they are all ours, and too many.
    expect(codes(await findings(project.plan(tenant("jane", "joe"))))).toContain("TENANCY_UNMANAGED");
  });

  test("hides no user of ours behind a name of his: nothing counts as renamed outside", async () => {
    const project = await start();
    await project.apply(tenant("jane"), keyed);
    project.service.records.createProfile("acme", { username: "other", uuid: forged("csi") });
    const { plan } = await project.apply(tenant("jane", "csi"), keyed);
    expect(actions(plan)).toEqual(["create tenancy_user_profile.acme_csi"]);
  });
});

test("a user of ours who was renamed outside is found under the key", async () => {
  const project = await start();
  await project.apply(tenant("jane"), keyed);
  const uuid = uuidUnder(KEY, "user_profile", "acme", "csi");
  project.service.records.createProfile("acme", { username: "renamed", uuid });
  expect(codes(await findings(project.plan(tenant("jane", "csi"), keyed)))).toEqual([
    "TENANCY_RENAMED_OUTSIDE",
  ]);
});

test("a run without the key, or with another one, touches nothing that was made under it", async () => {
  const project = await start();
  await project.apply(tenant("jane", "bob"), keyed);
  const other = { environment: { TENANCY_OWNER_KEY: OLD } };
  for (const options of [{}, other]) {
    const [refused] = await findings(project.plan(tenant("jane", "bob"), options));
    expect(refused).toMatchObject({ code: "TENANCY_UNMANAGED" });
    expect(refused?.advice).toMatch(/TENANCY_OWNER_KEY.* import it with `importFrom\("account:1:\d+"\)`\.$/);
    const without = await project.plan(
      (stack) => void new Tenant(stack, "globex", { name: "globex", permissions: Permissions.none() }),
      options,
    );
    expect(actions(without)).toEqual(["create tenancy_account.globex"]);
  }
});

test("what was made before there was a key stays ours where its uuids are declared and applied first", async () => {
  const project = await start();
  await project.apply(tenant("jane"));
  const { uuid } = project.service.records.account("acme");
  const pinned: Build = (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      uuid,
      users: { jane: { uuid: forged("jane"), permissions: Permissions.none() } },
    });
  };
  // Who can choose a uuid can choose the one that is declared, so an apply under the old proof has to record it first.
  expect(codes(await findings(project.plan(pinned, keyed)))).toEqual(["TENANCY_OTHER_OWNER"]);
  const { requests } = await project.apply(pinned);
  expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(actions(await project.plan(pinned, keyed))).toEqual([]);
});

describe("where the key is lost", () => {
  const importing =
    (from?: string): Build =>
    (stack) =>
      void new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none() }).importFrom(from);

  test("an account is imported by its id or serial, with a warning, and not by its name", async () => {
    const project = await start();
    await project.apply(tenant(), { environment: { TENANCY_OWNER_KEY: OLD } });
    const { id, serial } = project.service.records.account("acme");
    expect(codes(await findings(project.plan(importing(), keyed)))).toEqual(["TENANCY_OTHER_OWNER_KEY"]);
    for (const from of [id, serial]) {
      const plan = await project.plan(importing(from), keyed);
      expect(plan.changes).toMatchObject([{ action: "none", claim: "imported" }]);
      expect(plan.warnings).toMatchObject([
        { severity: "warning", code: "TENANCY_OTHER_OWNER_KEY", address: "tenancy_account.acme" },
      ]);
    }
  });

  test("an account is removed by name and id, with a warning", async () => {
    const project = await start();
    await project.apply(tenant(), { environment: { TENANCY_OWNER_KEY: OLD } });
    const { id } = project.service.records.account("acme");
    const remove =
      (from?: string): Build =>
      (stack) => {
        new Tenant(stack, "globex", { name: "globex", permissions: Permissions.none() });
        new Deletion(stack, "left", { account: "acme", ...(from !== undefined && { id: from }) });
      };
    const options = { ...keyed, maxDeletes: 9 };
    expect(codes(await findings(project.plan(remove(), options)))).toEqual(["TENANCY_OTHER_OWNER_KEY"]);
    const plan = await project.plan(remove(id), options);
    expect(actions(plan)).toContain('delete tenancy_account.undeclared["acme"]');
    expect(codes(plan.warnings)).toEqual(["TENANCY_OTHER_OWNER_KEY"]);
  });
});

test("a plan that was saved under the key is not applied without it", async () => {
  const project = await start();
  const source = project.synthesize(tenant("jane"));
  const text = savePlan(await project.plan(source, keyed));
  const [refused] = await findings(planSaved(text, source, project.options()));
  expect(refused).toMatchObject({ code: "TENANCY_PLAN_OUTDATED" });
  const made = await planSaved(text, source, project.options(keyed));
  await close(made);
});

test("what another run made under the key since the plan is not made twice", async () => {
  const project = await start();
  await project.apply(tenant("jane"), keyed);
  const made = await project.plan(tenant("jane", "joe"), keyed);
  project.service.records.createProfile("acme", {
    username: "joe",
    uuid: uuidUnder(KEY, "user_profile", "acme", "joe"),
  });
  const before = project.service.records.profiles.length;
  const { failed } = await apply(made);
  expect(failed.flatMap(({ diagnostics }) => codes(diagnostics))).toEqual(["TENANCY_ALREADY_LIVE"]);
  expect(project.service.records.profiles).toHaveLength(before);
});
