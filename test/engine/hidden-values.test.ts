/** Values that the service masks or leaves out: covers src/schema/diff.ts and src/schema/wire.ts in whole runs. */
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Account, Permissions, Tenant, UserProfile } from "tenancy";
import { drift } from "../../src/engine";
import { actions, changeAt, changed, projects, type Applied, type Build } from "../support/projects";
import type { DeclaredAccount } from "../../src/constructs/generated/l2/declared";

const start = projects();

interface Facts {
  readonly sms?: string;
  readonly phone?: string;
  readonly company?: string;
  readonly tags?: readonly string[];
}

const acme =
  ({
    sms = "+14155554567",
    phone = "+4930123456",
    company = "Acme",
    tags = ["ssd", "nvme"],
  }: Facts = {}): Build =>
  (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      primaryContact: {
        firstName: "Ada",
        company,
        phone,
        email: "storage@acme.example",
        address: { addr: ["1 Main Street", "Suite 2"], city: "Berlin", country: "DE" },
      },
      limits: { vssNum: null, sizeReserveTotal: 5 },
      provisioning: { tagsInclude: [...tags] },
      users: {
        jane: { sms, permissions: Permissions.operator().scopedTo({ nodes: ["node:1:7", "node:1:8"] }) },
        csi: { permissions: Permissions.none() },
      },
    });
  };

const patches = ({ requests }: Applied) =>
  requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);

describe.each(["names", "full"] as const)("contacts answered with %s", (contacts) => {
  test("are no drift", async () => {
    const project = await start({ contacts });
    await project.apply(acme());
    expect(actions(await project.plan(acme()))).toEqual([]);
  });

  test("are sent when the declaration changes, right after the create", async () => {
    const project = await start({ contacts });
    await project.apply(acme());
    const applied = await project.apply(acme({ phone: "+4940999", company: "Acme Corp" }));
    expect(patches(applied)).toMatchObject([
      { primary_contact: { company: "Acme Corp", phone: "+4940999" } },
    ]);
    expect(project.service.records.account("acme").primary_contact.phone?.number).toBe("+4940999");
    expect(actions(await project.plan(acme({ phone: "+4940999", company: "Acme Corp" })))).toEqual([]);
  });
});

test("a masked number is no drift, and a changed one is sent", async () => {
  const project = await start();
  await project.apply(acme());
  const { plan, requests } = await project.apply(acme({ sms: "+14155559999" }));
  expect(changed(changeAt(plan, "tenancy_user_profile.acme_jane"))).toMatchObject({
    sms: ["********4567", "+14155559999"],
  });
  expect(requests.find(({ method }) => method === "PATCH")?.body).toEqual({ sms: "+14155559999" });
  expect(actions(await project.plan(acme({ sms: "+14155559999" })))).toEqual([]);
});

test("a changed number with the same last digits is sent, because the state remembers the old one", async () => {
  const project = await start();
  await project.apply(acme());
  const applied = await project.apply(acme({ sms: "+15005554567" }));
  expect(patches(applied)).toEqual([{ sms: "+15005554567" }]);
});

test("a masked number that others changed is healed where the mask tells", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.records.patchProfile("jane@acme", { sms: "+14155550000" });
  expect(patches(await project.apply(acme()))).toEqual([{ sms: "+14155554567" }]);
});

test("without the state what is not shown is sent once, a mask that fits is recorded, and the plan shows both", async () => {
  const project = await start();
  await project.apply(acme());
  await rm(dirname(project.state), { recursive: true });
  await project.apply(acme(), { recover: true });
  const applied = await project.apply(acme());
  expect(actions(applied.plan)).toEqual(["update tenancy_account.acme"]);
  expect(changed(changeAt(applied.plan, "tenancy_account.acme"))).toMatchObject({
    "primary_contact.company": [null, "Acme"],
    "primary_contact.phone": [null, "+4930123456"],
  });
  expect(changeAt(applied.plan, "tenancy_user_profile.acme_jane").notes).toEqual([
    "sms recorded: the service does not show it",
  ]);
  expect(patches(applied)).toMatchObject([
    {
      primary_contact: {
        company: "Acme",
        phone: "+4930123456",
        email: "storage@acme.example",
        address: { addr: ["1 Main Street", "Suite 2"], city: "Berlin", country: "DE" },
      },
    },
  ]);
  const again = await project.plan(acme());
  expect(actions(again)).toEqual([]);
  expect(again.changes.flatMap(({ notes }) => notes)).toEqual([]);
});

test("an imported account gets the declared contact in one apply, whatever nobody can see of it", async () => {
  const project = await start({ contacts: "names" });
  project.service.records.createAccount({ name: "initech", primary_contact: { company: "Old Corp" } });
  const imported: Build = (stack) => {
    new Tenant(stack, "initech", {
      name: "initech",
      primaryContact: { company: "Initech" },
      permissions: Permissions.none(),
    }).importFrom();
  };
  const { plan } = await project.apply(imported);
  expect(changed(changeAt(plan, "tenancy_account.initech"))).toMatchObject({
    "primary_contact.company": [null, "Initech"],
  });
  expect(project.service.records.account("initech").primary_contact.company).toBe("Initech");
  expect(actions(await project.plan(imported))).toEqual([]);
});

test("a number that is taken away is forgotten: declared again, it is sent, whatever others set meanwhile", async () => {
  const project = await start();
  const build =
    (contact: object, user: object): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {}, ...contact });
      new UserProfile(stack, "jane", { username: "jane", accountId: account.id, permissions: {}, ...user });
    };
  const declared = build(
    { billingContact: { firstName: "Ada", phone: "+4930123456" } },
    { sms: "+14155554567" },
  );
  await project.apply(declared);
  await project.apply(build({ unset: ["billing_contact"] }, { unset: ["sms"] }));
  const { records } = project.service;
  records.patchAccount("acme", { billing_contact: { first_name: "Ada", phone: "+4940123456" } });
  records.patchProfile("jane@acme", { sms: "+15005554567" });
  expect(patches(await project.apply(declared))).toMatchObject([
    { billing_contact: { phone: "+4930123456" } },
    { sms: "+14155554567" },
  ]);
  expect(actions(await project.plan(declared))).toEqual([]);
});

test("a number whose write has an unknown result is sent again as it is declared", async () => {
  const project = await start();
  const before = acme({ sms: "+14155554567", phone: "+4930123456" });
  await project.apply(before);
  project.service.fail({ method: "PATCH", status: 500, times: 99, when: "after" });
  const impatient = { owner: "acme-platform", retryTimeout: "1ms" };
  const after = acme({ sms: "+15005554567", phone: "+4940123456" });
  const { result } = await project.run(project.synthesize(after, impatient));
  project.service.clearFaults();
  expect(result.ok).toBe(false);
  expect(project.service.records.account("acme").primary_contact.phone?.number).toBe("+4940123456");
  expect(project.service.records.profile("jane@acme").sms?.number).toBe("+14155554567");
  // The account failed, so the run did not reach its user: that one's number is as it was.
  expect(patches(await project.apply(before))).toMatchObject([{ primary_contact: { phone: "+4930123456" } }]);
  expect(actions(await project.plan(before))).toEqual([]);
});

test("sets in another order, absent nodes and null quotas are no drift", async () => {
  const project = await start();
  await project.apply(acme());
  expect(actions(await project.plan(acme({ tags: ["nvme", "ssd"] })))).toEqual([]);
  const { permissions } = project.service.records.profile("csi@acme");
  expect(permissions.node.all_realm_scope).toBe(true);
});

test("nodes that were taken away by others are given back", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.records.patchProfile("jane@acme", { permissions: { node: { nodes: ["node:1:7"] } } });
  expect(patches(await project.apply(acme()))).toMatchObject([
    { permissions: { node: { all_realm_scope: false, nodes: ["node:1:7", "node:1:8"] } } },
  ]);
});

test("a value that is declared again after a while is sent where the object was made anew", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.records.deleteAccount("acme");
  const bare: Build = (stack) => void new Account(stack, "acme", { name: "acme", permissions: {} });
  await project.apply(bare);
  const withPhone: Build = (stack) => {
    new Account(stack, "acme", { name: "acme", permissions: {}, primaryContact: { phone: "+4930123456" } });
  };
  // The number that was sent to the account of former days is not this one's.
  const applied = await project.apply(withPhone);
  expect(patches(applied)).toMatchObject([{ primary_contact: { phone: "+4930123456" } }]);
  expect(actions(await project.plan(withPhone))).toEqual([]);
});

describe("rights", () => {
  const user =
    (permissions: Record<string, boolean>, more: object = {}): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", { username: "jane", accountId: account.id, permissions, ...more });
    };

  test("that are not named are denied, at the create and ever after", async () => {
    const project = await start();
    const build = user({ "vss.manage_targets": true });
    await project.apply(build);
    const { permissions } = project.service.records.profile("jane@acme");
    const granted = Object.values(permissions).flatMap(({ rights }) =>
      Object.entries(rights as Record<string, boolean>).filter(([, value]) => value === true),
    );
    expect(granted).toEqual([["manage_targets", true]]);
    project.service.records.patchProfile("jane@acme", {
      permissions: { account: { rights: { view_events: true } } },
    });
    expect(patches(await project.apply(build))).toMatchObject([
      { permissions: { account: { rights: { view_events: false } } } },
    ]);
  });

  test("that are not named are kept with undeclared_rights, and listed", async () => {
    const project = await start();
    await project.apply(user({ "vss.manage_targets": true }));
    project.service.records.patchProfile("jane@acme", {
      permissions: { account: { rights: { view_events: true } } },
    });
    const keep = user(
      { "vss.manage_targets": false, "vss.manage_snapshots": true },
      { undeclaredRights: "keep" },
    );
    const applied = await project.apply(keep);
    expect(patches(applied)).toMatchObject([
      { permissions: { vss: { rights: { manage_targets: false, manage_snapshots: true } } } },
    ]);
    const { warnings } = applied.plan;
    // Somebody outside granted the right, too.
    expect(warnings.map(({ code }) => code).sort()).toEqual([
      "TENANCY_PRIVILEGES_CHANGED",
      "TENANCY_RIGHTS_KEPT",
    ]);
    expect(warnings.find(({ code }) => code === "TENANCY_RIGHTS_KEPT")?.detail).toContain(
      "account.view_events",
    );
    expect(actions(await project.plan(keep))).toEqual([]);
  });

  test("are what the service grants where none are declared, which earns a warning", async () => {
    const project = await start();
    const build: Build = (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", { username: "jane", accountId: account.id });
    };
    const { plan } = await project.apply(build);
    expect(plan.warnings.map(({ code }) => code)).toContain("TENANCY_UNDECLARED_PERMISSIONS");
    expect(actions(await project.plan(build))).toEqual([]);
  });
});

describe("what is taken away", () => {
  const account =
    (more: object): Build =>
    (stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {}, ...more });
    };

  test("is named in unset, and stays when it is merely not declared", async () => {
    const project = await start();
    await project.apply(account({ billingContact: { company: "Acme" }, limitsVssNum: 3 }));
    expect(actions(await project.plan(account({})))).toEqual([]);
    const unset = account({ unset: ["billing_contact", "limits_vss_num"] });
    expect(patches(await project.apply(unset))).toEqual([
      { billing_contact: null, limits: { vss_num: null } },
    ]);
    expect(actions(await project.plan(unset))).toEqual([]);
  });

  const tenant =
    (more: Partial<DeclaredAccount>): Build =>
    (stack) => {
      new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), ...more });
    };

  test("in a tenant's limits and provisioning is whatever they do not name", async () => {
    const project = await start();
    await project.apply(
      tenant({
        limits: { vssNum: 3, sizeReserveTotal: 9 },
        provisioning: { tagsInclude: ["ssd"], tagsPermit: ["a"], sizeReserveMax: 4 },
      }),
    );
    const applied = await project.apply(
      tenant({ limits: { sizeReserveTotal: 9 }, provisioning: { tagsExclude: ["slow"] } }),
    );
    expect(patches(applied)).toMatchObject([
      {
        limits: { vss_num: null },
        provisioning: { size_reserve_max: null, tags_include: [], tags_exclude: ["slow"], tags_permit: null },
      },
    ]);
  });

  test("is every nullable value that is not declared where `unset` holds a star", async () => {
    const project = await start();
    await project.apply(
      account({ billingContact: { company: "Acme" }, limitsVssNum: 3, limitsSizeReserveTotal: 9 }),
    );
    const star = account({ limitsSizeReserveTotal: 9, unset: ["*"] });
    expect(patches(await project.apply(star))).toMatchObject([
      { billing_contact: null, limits: { vss_num: null } },
    ]);
    expect(actions(await project.plan(star))).toEqual([]);
    project.service.records.patchAccount("acme", { limits: { vss_num: 5 } });
    expect(patches(await project.apply(star))).toMatchObject([{ limits: { vss_num: null } }]);
  });

  test("is not what ignore_changes keeps, whether it is unset by name or with all others", async () => {
    const project = await start();
    const ignoring =
      (unset: string[]): Build =>
      (stack) => {
        const acme = new Account(stack, "acme", { name: "acme", permissions: {}, unset });
        acme.lifecycle = { ignoreChanges: ["limits_vss_num"] };
      };
    await project.apply(account({ limitsVssNum: 3, limitsSizeReserveTotal: 9 }));
    expect(patches(await project.apply(ignoring(["*"])))).toMatchObject([
      { limits: { size_reserve_total: null } },
    ]);
    expect(actions(await project.plan(ignoring(["*"])))).toEqual([]);
    expect(project.service.records.account("acme").limits.vss_num).toBe(3);
    expect(patches(await project.apply(ignoring(["limits_vss_num"])))).toEqual([]);
  });

  test("is sent until the state knows that it was, where the service does not show it", async () => {
    const project = await start();
    const jane =
      (more: object): Build =>
      (stack) => {
        const account = new Account(stack, "acme", { name: "acme", permissions: {} });
        new UserProfile(stack, "jane", { username: "jane", accountId: account.id, permissions: {}, ...more });
      };
    const without = (record: object) =>
      Object.fromEntries(Object.entries(record).filter(([name]) => name !== "email" && name !== "sms"));
    const alter = (body: unknown) => (Array.isArray(body) ? body.map(without) : without(body as object));
    project.service.fail({ path: /user-profile/, times: 9999, when: "after", alter });
    const declared = jane({ email: "jane@acme.example", sms: "+14155554567" });
    const unset = jane({ unset: ["email", "sms"] });
    const live = () => project.service.records.profile("jane@acme");

    await project.apply(declared);
    const { drift: rows } = await drift(project.synthesize(unset), project.options());
    expect(rows.map(({ path, from, to }) => [path[0], from, to])).toEqual([
      ["email", undefined, null],
      ["sms", undefined, null],
    ]);
    const applied = await project.apply(unset);
    expect(patches(applied)).toEqual([{ email: null, sms: null }]);
    expect(live()).toMatchObject({ email: null, sms: null });
    expect(actions(await project.plan(unset))).toEqual([]);

    // Another person sets the address while nothing declares it. The plan may tell that an address exists.
    await project.apply(jane({ level: 2 }));
    project.service.records.patchProfile("jane@acme", { email: "eve@acme.example" });
    const again = await project.apply(jane({ level: 2, unset: ["*"] }));
    expect(changeAt(again.plan, "tenancy_user_profile.jane").notes[0]).toContain("sent once");
    expect(live()).toMatchObject({ email: null });
    expect(actions(await project.plan(jane({ level: 2, unset: ["*"] })))).toEqual([]);

    // A user who is made with it has none.
    project.service.records.deleteProfile("jane@acme");
    await project.apply(unset);
    expect(actions(await project.plan(unset))).toEqual([]);
  });

  test("both set and unset is an error", async () => {
    const project = await start();
    const build = account({ limitsVssNum: 3, unset: ["limits_vss_num"] });
    await expect(project.plan(build)).rejects.toMatchObject({
      diagnostics: [{ code: "TENANCY_INVALID_VALUE", attribute: ["limits_vss_num"] }],
    });
  });
});

test("integers that no double holds come through exactly", async () => {
  const project = await start();
  const build =
    (size: string): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      account.addOverride("limits_size_reserve_total", size);
    };
  await project.apply(build("9223372036854775807"));
  expect(project.service.records.account("acme").limits.size_reserve_total).toBe(9223372036854775807n);
  expect(actions(await project.plan(build("9223372036854775807")))).toEqual([]);
  const { plan } = await project.apply(build("9223372036854775806"));
  expect(changed(changeAt(plan, "tenancy_account.acme"))).toEqual({
    limits_size_reserve_total: [9223372036854775807n, 9223372036854775806n],
  });
  expect(project.service.records.account("acme").limits.size_reserve_total).toBe(9223372036854775806n);
});

test("a phone number that the service rewrites is no error, and no change", async () => {
  const project = await start({ contacts: "full" });
  const rewritten = (body: unknown): unknown => {
    const text = JSON.stringify(body).replaceAll('"+49 (30) 12-34 56"', '"+4930123456"');
    return JSON.parse(text.replaceAll('"030 123456"', '"+4930123456"'));
  };
  project.service.fail({ method: "GET", path: /api/, times: 999, alter: rewritten });
  project.service.fail({ method: "PATCH", path: /api/, times: 999, alter: rewritten });
  await project.apply(acme());
  for (const phone of ["+49 (30) 12-34 56", "030 123456"]) {
    await project.apply(acme({ phone, company: `for ${phone}` }));
    expect(actions(await project.plan(acme({ phone, company: `for ${phone}` })))).toEqual([]);
  }
  expect(actions(await project.plan(acme({ phone: "+4930123457" })))).toEqual([
    "update tenancy_account.acme",
  ]);
});

test("a user who is called like the account is created, deleted and created again", async () => {
  const project = await start();
  const users = (...names: readonly string[]): Build => {
    const none = { permissions: Permissions.none() };
    return (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        ...none,
        users: Object.fromEntries(names.map((name) => [name, none])),
      });
  };
  const logins = () => project.service.records.profiles.map(({ login }) => login);
  await project.apply(users("acme"));
  expect(logins()).toContain("acme@acme");
  await project.apply(users());
  expect(logins()).not.toContain("acme@acme");
  await project.apply(users("acme"));
  expect(logins()).toContain("acme@acme");
});
