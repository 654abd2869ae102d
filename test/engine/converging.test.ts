/** A second plan is empty, and a second apply writes nothing: covers src/engine as a whole. */
import { Account, Permissions, Tenant } from "tenancy";
import type { Simulator } from "../../src/lib/simulator";
import { actions, changeAt, changed, projects, writes, type Build } from "../support/projects";

const start = projects();

const acme: Build = (stack) => {
  new Tenant(stack, "acme", {
    name: "acme",
    primaryContact: { firstName: "Ada", company: "Acme", email: "storage@acme.example", phone: "415555" },
    limits: { vssNum: 20 },
    provisioning: { tagsInclude: ["ssd", "nvme"] },
    level: 3,
    access: { web: true, api: true },
    activated: true,
    users: {
      jane: {
        email: "jane@acme.example",
        sms: "+14155554567",
        level: 2,
        access: { api: true },
        permissions: Permissions.operator(),
      },
      csi: { permissions: Permissions.none().allow("vss.manage_snapshots") },
    },
    tokens: { "csi-prod": { user: "csi" } },
  });
};

test("a second plan and a third are empty, and send nothing but a log-in and three reads", async () => {
  const project = await start();
  const first = await project.apply(acme);
  expect([...actions(first.plan)].sort()).toEqual([
    "create tenancy_account.acme",
    "create tenancy_authorization.acme_csi-prod",
    "create tenancy_user_profile.acme_csi",
    "create tenancy_user_profile.acme_jane",
  ]);
  for (const _again of [1, 2]) {
    project.service.clearRequests();
    expect(actions(await project.plan(acme))).toEqual([]);
    expect(project.service.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      "GET /api/account",
      "GET /api/status/authorization",
      "GET /api/user-profile",
      "POST /api/oauth2/token",
    ]);
  }
});

test("the plan of something new sends nothing but a log-in and reads", async () => {
  const project = await start();
  await project.plan(acme);
  expect(writes(project.service.requests)).toEqual([]);
});

test("groups that declare nothing are at peace with a service that has nothing", async () => {
  const project = await start();
  const build: Build = (stack) =>
    void new Account(stack, "acme", { name: "acme", billingContact: { address: {} }, primaryContact: {} });
  await project.apply(build);
  expect(actions(await project.plan(build))).toEqual([]);
});

test("a second apply writes nothing", async () => {
  const project = await start();
  await project.apply(acme);
  const second = await project.apply(acme);
  expect(second.result.applied).toEqual([]);
  expect(writes(second.requests)).toEqual([]);
});

interface Drift {
  readonly what: string;
  readonly happens: (records: Simulator["records"]) => void;
  readonly address: string;
  readonly path: string;
  readonly values: readonly [unknown, unknown];
  readonly body: unknown;
}

const drifts: readonly Drift[] = [
  {
    what: "an e-mail address",
    happens: (records) => records.patchProfile("jane@acme", { email: "other@acme.example" }),
    address: "tenancy_user_profile.acme_jane",
    path: "email",
    values: ["other@acme.example", "jane@acme.example"],
    body: { email: "jane@acme.example" },
  },
  {
    what: "a right that was given",
    happens: (records) =>
      records.patchProfile("csi@acme", { permissions: { vss: { rights: { remove_vss: true } } } }),
    address: "tenancy_user_profile.acme_csi",
    path: "permissions",
    values: [{ "vss.manage_snapshots": true, "vss.remove_vss": true }, { "vss.manage_snapshots": true }],
    body: { permissions: { vss: { rights: { remove_vss: false } } } },
  },
  {
    what: "a right that was taken",
    happens: (records) =>
      records.patchProfile("csi@acme", { permissions: { vss: { rights: { manage_snapshots: false } } } }),
    address: "tenancy_user_profile.acme_csi",
    path: "permissions",
    values: [{ "vss.manage_snapshots": false }, { "vss.manage_snapshots": true }],
    body: { permissions: { vss: { rights: { manage_snapshots: true } } } },
  },
  {
    what: "a right of the primary user profile",
    happens: (records) => records.patchProfile("acme", { level: 9 }),
    address: "tenancy_account.acme",
    path: "level",
    values: [9, 3],
    body: { level: 3 },
  },
  {
    what: "a limit",
    happens: (records) => records.patchAccount("acme", { limits: { vss_num: 500 } }),
    address: "tenancy_account.acme",
    path: "limits_vss_num",
    values: [500, 20],
    body: { limits: { vss_num: 20 } },
  },
  {
    what: "a limit that is not declared, in limits that are",
    happens: (records) => records.patchAccount("acme", { limits: { size_reserve_total: 5 } }),
    address: "tenancy_account.acme",
    path: "limits_size_reserve_total",
    values: [5, null],
    body: { limits: { size_reserve_total: null } },
  },
  {
    what: "a contact",
    happens: (records) => records.patchAccount("acme", { primary_contact: { first_name: "Eve" } }),
    address: "tenancy_account.acme",
    path: "primary_contact.first_name",
    values: ["Eve", "Ada"],
    body: { primary_contact: { first_name: "Ada" } },
  },
  {
    what: "tags",
    happens: (records) => records.patchAccount("acme", { provisioning: { tags_include: ["ssd"] } }),
    address: "tenancy_account.acme",
    path: "provisioning_tags_include",
    values: [["ssd"], ["ssd", "nvme"]],
    body: { provisioning: { tags_include: ["ssd", "nvme"] } },
  },
  {
    what: "a level",
    happens: (records) => records.patchProfile("jane@acme", { level: 7 }),
    address: "tenancy_user_profile.acme_jane",
    path: "level",
    values: [7, 2],
    body: { level: 2 },
  },
  {
    what: "API access",
    happens: (records) => records.patchProfile("jane@acme", { access: { api: false } }),
    address: "tenancy_user_profile.acme_jane",
    path: "access_api",
    values: [false, true],
    body: { access: { api: true } },
  },
];

test.each(drifts)("$what, changed by others, is shown and changed back", async (drift) => {
  const project = await start();
  await project.apply(acme);
  drift.happens(project.service.records);
  const healed = await project.apply(acme);
  expect(actions(healed.plan)).toEqual([`update ${drift.address}`]);
  expect(changed(changeAt(healed.plan, drift.address))).toMatchObject({ [drift.path]: drift.values });
  expect(healed.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toMatchObject([
    drift.body,
  ]);
  expect(actions(await project.plan(acme))).toEqual([]);
});

test("a contact, a phone number and an address in full answers are changed back as well", async () => {
  const project = await start({ contacts: "full" });
  await project.apply(acme);
  project.service.records.patchAccount("acme", { primary_contact: { company: "Evil", phone: "911" } });
  const healed = await project.apply(acme);
  expect(changed(changeAt(healed.plan, "tenancy_account.acme"))).toMatchObject({
    "primary_contact.company": ["Evil", "Acme"],
    "primary_contact.phone": ["911", "415555"],
  });
  expect(healed.requests.find(({ method }) => method === "PATCH")?.body).toMatchObject({
    primary_contact: { company: "Acme", phone: "415555" },
  });
  expect(actions(await project.plan(acme))).toEqual([]);
});

test("what nobody declared may change as it likes", async () => {
  const project = await start();
  await project.apply(acme);
  project.service.records.patchProfile("csi@acme", { email: "csi@acme.example", level: 4 });
  project.service.records.patchAccount("acme", { billing_contact: { company: "Acme Accounting" } });
  expect(actions(await project.plan(acme))).toEqual([]);
});

test("a user who disappeared is made again, and the token with it", async () => {
  const project = await start();
  await project.apply(acme);
  project.service.records.deleteProfile("csi@acme");
  const healed = await project.apply(acme);
  expect(actions(healed.plan)).toEqual([
    "create tenancy_user_profile.acme_csi",
    "create tenancy_authorization.acme_csi-prod",
  ]);
  expect(actions(await project.plan(acme))).toEqual([]);
});

test("an account that disappeared is made again, with its users", async () => {
  const project = await start();
  await project.apply(acme);
  project.service.records.deleteAccount("acme");
  await project.apply(acme);
  expect(project.service.records.profile("jane@acme").email).toBe("jane@acme.example");
  expect(actions(await project.plan(acme))).toEqual([]);
});
