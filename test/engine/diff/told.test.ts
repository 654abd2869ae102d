import { Account, Permissions, Tenant, UserProfile } from "cdktf-provider-tenancy";
import { readPlans, savePlan } from "../../../src/engine";
import type { Plan } from "../../../src/plan";
import { jsonPlan, planEvents } from "../../../src/render/json";
import { planText } from "../../../src/render/text";
import { plain } from "../../../src/render/text/paint";
import { refusal } from "../../support/life";
import { type Build, projects } from "../../support/projects";

const start = projects();

const tenant =
  (name: string, users: readonly string[] = [], more: object = {}): Build =>
  (stack) => {
    new Tenant(stack, name, {
      name,
      permissions: Permissions.none(),
      users: Object.fromEntries(users.map((user) => [user, { permissions: Permissions.none() }])),
      ...more,
    });
  };
const both =
  (...builds: readonly Build[]): Build =>
  (stack) =>
    builds.forEach((build) => build(stack));

const textOf = (plan: Plan) => planText(plan, plain);

test("a profile that somebody else made in an account of ours shows, with what it may do", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane"]));
  const eve = project.service.records.createProfile("acme", { username: "eve" });
  const plan = await project.plan(tenant("acme", ["jane"]));
  expect(plan.notDeclared).toMatchObject([
    { key: "eve@acme", id: eve.id, preset: "account_admin", active: true },
  ]);
  expect(textOf(plan)).toContain(`Not declared
    eve@acme                              39 rights (destructive, powerful); account_admin; made by somebody else
`);
  expect(jsonPlan(plan).tenancy.not_declared).toMatchObject([
    { key: "eve@acme", marks: ["destructive", "powerful"] },
  ]);
});

test("neither primary profiles, nor declared users, nor users that are deleted or in accounts of others are told as not declared", async () => {
  const project = await start();
  await project.apply(tenant("acme", ["jane", "joe"]));
  project.service.records.createAccount({ name: "initech" });
  project.service.records.createProfile("initech", { username: "peter" });
  expect((await project.plan(tenant("acme", ["jane"]))).notDeclared).toEqual([]);
});

test("a tenant that left and is retained is told with the users that still work, and nothing looks finished", async () => {
  const project = await start();
  await project.apply(both(tenant("acme"), tenant("initech", ["peter", "milton"])));
  const plan = await project.plan(tenant("acme"));
  expect(plan.retained).toMatchObject([{ key: "initech", users: 3, tokens: 0 }]);
  const text = textOf(plan);
  expect(text).toContain("3 users of it still work");
  expect(text).toContain("No changes. What is declared is up to date, but what is retained lives on");
  expect(text).not.toContain("matches what is live");
});

test("of what is retained, neither a user who is deactivated counts as working, nor anybody in a disabled account", async () => {
  const project = await start();
  const initech = tenant("initech", ["peter", "milton"], { tokens: { fax: { user: "peter" } } });
  await project.apply(both(tenant("acme"), initech));
  const { records } = project.service;
  records.patchProfile("milton@initech", { activated: false });
  expect((await project.plan(tenant("acme"))).retained).toMatchObject([{ users: 2, tokens: 1 }]);
  records.patchAccount("initech", { disabled: true });
  expect((await project.plan(tenant("acme"))).retained).toMatchObject([{ users: 0, tokens: 0 }]);
});

test("a profile that somebody else made is told as inactive while it is deactivated, or its account is disabled", async () => {
  const project = await start();
  await project.apply(tenant("acme"));
  const { records } = project.service;
  const isActive = async () => (await project.plan(tenant("acme"))).notDeclared.map(({ active }) => active);
  records.createProfile("acme", { username: "eve" });
  records.patchProfile("eve@acme", { activated: false });
  expect(await isActive()).toEqual([false]);
  records.patchProfile("eve@acme", { activated: true });
  expect(await isActive()).toEqual([true]);
  records.patchAccount("acme", { disabled: true });
  expect(await isActive()).toEqual([false]);
});

test("of several accounts that left, retained or deleted, the one with most of the same users looks renamed", async () => {
  const project = await start();
  const stays = tenant("stays", ["a", "b", "c", "d", "e", "f"]);
  await project.apply(both(tenant("first", ["jane"]), tenant("second", ["joe", "jim"]), stays));
  const later = both(stays, tenant("third", ["jane", "joe", "jim"]), tenant("fourth", ["kim"]));
  const renamed = [expect.objectContaining({ from: "second", to: "third" })];
  const retaining = await project.plan(later);
  expect(retaining.retained).toHaveLength(2);
  expect(retaining.renames).toEqual(renamed);
  const deleting = await project.plan(later, { allowAccountDeletion: true, maxDeletes: 9 });
  expect(deleting.retained).toEqual([]);
  expect(deleting.renames).toEqual(renamed);
});

test("an account that left and one that came with the same users look like a rename, and the storage stays behind", async () => {
  const project = await start();
  await project.apply(both(tenant("acme", ["jane"]), tenant("other", ["joe"])));
  const plan = await project.plan(both(tenant("acme-storage", ["jane"]), tenant("other", ["joe"])));
  expect(plan.renames).toMatchObject([{ from: "acme", to: "acme-storage" }]);
  expect(textOf(plan)).toContain("acme -> acme-storage");
  expect(textOf(plan)).toContain("the storage stays behind in acme");
  expect(jsonPlan(plan).tenancy.renames).toHaveLength(1);
  expect(
    (await project.plan(both(tenant("acme"), tenant("other"), tenant("third", ["kim"])))).renames,
  ).toEqual([]);
});

test("--allow-nonempty lists who ceases with an account: users of others, with what they lose", async () => {
  const project = await start();
  const free = tenant("acme", ["jane"], { deletionProtection: false });
  await project.apply(both(free, tenant("rest", ["a", "b", "c", "d", "e"])));
  project.service.records.createProfile("acme", { username: "eve" });
  const plan = await project.plan(tenant("rest", ["a", "b", "c", "d", "e"]), {
    allowAccountDeletion: true,
    allowNonempty: true,
  });
  expect(plan.ceasing).toMatchObject([{ key: "eve@acme", claim: "foreign" }]);
  expect(plan.changes.map(({ key }) => key)).not.toContain("eve@acme");
  const text = textOf(plan);
  expect(text).toContain("eve@acme · goes with its account · made by somebody else");
  expect(text).toMatch(/ {2}- eve@acme +loses/);
  expect(text).toContain("acme · no longer declared · with its primary user profile");
  expect(jsonPlan(plan).tenancy.ceasing).toMatchObject([{ key: "eve@acme" }]);
  // Whoever ceases is counted, wherever deletes are.
  expect(plan.summary.delete).toBe(3);
  // The limit counts the account's primary user profile, too: the plan says as many.
  expect(text).toContain("3 to delete, 4 records cease.");
  expect(jsonPlan(plan).tenancy.ended_records).toBe(4);
  const options = { allowAccountDeletion: true, allowNonempty: true, maxDeletes: 3 };
  expect(await refusal(project.plan(tenant("rest", ["a", "b", "c", "d", "e"]), options))).toMatchObject([
    { code: "TENANCY_TOO_MANY_DELETES", summary: expect.stringContaining("4 records") as string },
  ]);
  const events = planEvents(plan, new Date(0));
  expect(events.filter(({ type }) => type === "planned_change")).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ type: "change_summary", changes: { remove: 3 } });
  const [saved] = readPlans(savePlan(plan)).map((one) => one.plan);
  expect(saved?.summary).toEqual(plan.summary);
});

test("a tenant without permissions, and a user without, are told with the rights of the service's default", async () => {
  const project = await start();
  const bare: Build = (stack) => {
    const acme = new Account(stack, "acme", { name: "acme" });
    new UserProfile(stack, "jane", { username: "jane", accountId: acme.id });
  };
  const before = await project.plan(bare);
  expect(before.access.map(({ who, rights, effect }) => [who, rights, effect])).toEqual([
    ["acme", "account_admin", "widens"],
    ["jane@acme", "account_admin", "widens"],
  ]);
  await project.apply(bare);
  const after = await project.plan(bare);
  expect(after.access.map(({ who, rights, effect }) => [who, rights, effect])).toEqual([
    ["acme", "account_admin", "stays"],
    ["jane@acme", "account_admin", "stays"],
  ]);
  expect(textOf(after)).toContain("39 rights that nobody declares");
});

test("of a contact the plan tells what is declared, and not what the service will choose", async () => {
  const project = await start();
  const plan = await project.plan((stack) => {
    const other = new Account(stack, "other", { name: "other", permissions: {} });
    const primaryContact = { company: "Acme", address: { city: other.id } };
    new Account(stack, "acme", { name: "acme", permissions: {}, primaryContact });
  });
  const text = textOf(plan);
  expect(text).toMatch(/primary_contact\.company +"Acme"/);
  expect(text).toMatch(/primary_contact\.address\.city +\(known after apply\)/);
  expect(text).not.toContain("first_name");
  expect(text).not.toContain("address.street");
  expect(text).not.toContain("primary_contact.phone");
});
