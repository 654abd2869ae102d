/** What the change of a declared object tells, and that it does so on demand: covers src/engine/stages.ts. */
import { Permissions, Tenant } from "cdktf-provider-tenancy";
import { changeAt, projects, type Build } from "../support/projects";

const start = projects();
const ADDRESS = "tenancy_user_profile.acme_csi";

const build: Build = (stack) => {
  const users = { csi: { permissions: Permissions.none(), email: "csi@acme.example" } };
  new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), users });
};

test("of a new object: no state before, and each attribute that gets a value", async () => {
  const project = await start();
  const change = changeAt(await project.plan(build), ADDRESS);
  expect(change).toMatchObject({ action: "create", address: ADDRESS, before: null, provider: "tenancy" });
  expect([change.claim, change.reason, change.sighting, change.importId]).toEqual(Array(4).fill(undefined));
  expect([change.replacedBy, change.notes]).toEqual([[], []]);
  expect(change.attributes).toContainEqual(
    expect.objectContaining({ path: ["email"], before: null, after: "csi@acme.example" }),
  );
  expect([...(change.declared ?? [])]).toEqual(expect.arrayContaining(["email", "permissions", "username"]));
});

test("of an unchanged object: one state, which is live, and nothing that changes", async () => {
  const project = await start();
  await project.apply(build);
  const change = changeAt(await project.plan(build), ADDRESS);
  const { before } = change;
  expect(change).toMatchObject({ action: "none", key: "csi@acme", title: "csi@acme", claim: "ours" });
  expect(before).toMatchObject({ login: "csi@acme", email: "csi@acme.example" });
  expect([change.before, change.after]).toEqual([before, before]);
  expect(change.before).toBe(before);
  expect(Object.isFrozen(before)).toBe(true);
  expect([change.attributes, change.replacedBy, change.notes, change.reason]).toEqual([
    [],
    [],
    [],
    undefined,
  ]);
});
