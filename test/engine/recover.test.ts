/** A lost state: the declared objects that are live are recorded again. Covers src/engine/recover.ts. */
import { rm } from "node:fs/promises";
import { Permissions } from "tenancy";
import {
  actions,
  type Build,
  changeAt,
  codes,
  findings,
  type Project,
  projects,
  tenant,
  writes,
} from "../support/projects";

const start = projects();
const RECOVER = { recover: true } as const;
const acme = (email: string): Build =>
  tenant("acme", [], { users: { jane: { permissions: Permissions.none(), email } } });

async function withLostState(build: Build): Promise<Project> {
  const project = await start();
  await project.apply(build);
  await rm(project.state);
  return project;
}

test("a lost state is recovered: nothing is sent, and the next plan is empty", async () => {
  const project = await withLostState(acme("jane@acme.example"));
  expect(codes(await findings(project.plan(acme("jane@acme.example"))))).toEqual([
    "TENANCY_UNMANAGED",
    "TENANCY_UNMANAGED",
  ]);
  const recovered = await project.apply(acme("jane@acme.example"), RECOVER);
  expect(writes(recovered.requests)).toEqual([]);
  expect(recovered.plan.summary).toMatchObject({ imported: 2, create: 0, update: 0, delete: 0 });
  expect(actions(await project.plan(acme("jane@acme.example")))).toEqual([]);
  const removed = await project.apply(tenant("acme"));
  expect(actions(removed.plan)).toEqual(['delete tenancy_user_profile.undeclared["jane@acme"]']);
});

test("a change that was declared since is sent by the next apply alone", async () => {
  const project = await withLostState(acme("jane@acme.example"));
  const recovered = await project.apply(acme("jane@globex.example"), RECOVER);
  expect(writes(recovered.requests)).toEqual([]);
  const plan = await project.plan(acme("jane@globex.example"));
  expect(actions(plan)).toEqual(["update tenancy_user_profile.acme_jane"]);
});

test("nothing that is not declared is recorded, and nothing that is not live is created", async () => {
  const project = await withLostState(acme("jane@acme.example"));
  const recovered = await project.apply(tenant("acme", ["new"]), RECOVER);
  expect([writes(recovered.requests), recovered.plan.summary.imported]).toEqual([[], 1]);
  expect(actions(await project.plan(tenant("acme")))).toEqual([]);
});

test("a record that replaced a recorded one takes its id", async () => {
  const project = await start();
  await project.apply(acme("jane@acme.example"));
  const { records } = project.service;
  const jane = records.profiles.find(({ login }) => login === "jane@acme");
  records.deleteProfile(jane?.id ?? "");
  records.createProfile("acme", { username: "jane" });
  expect(codes(await findings(project.plan(acme("jane@acme.example"), RECOVER)))).toEqual([
    "TENANCY_UNMANAGED",
  ]);
});

test("many unmanaged objects are one error, which names the way back", async () => {
  const many = tenant("acme", ["a", "b", "c", "d", "e"]);
  const project = await withLostState(many);
  const [finding, ...others] = await findings(project.plan(many));
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    code: "TENANCY_NOTHING_MANAGED",
    advice: expect.stringContaining("tenancy recover") as string,
  });
  await project.apply(many, RECOVER);
  expect(actions(await project.plan(many))).toEqual([]);
});

test("recorded objects are looked at no more", async () => {
  const project = await start();
  await project.apply(acme("jane@acme.example"));
  const again = await project.apply(acme("jane@globex.example"), RECOVER);
  expect([again.plan.changes, writes(again.requests)]).toEqual([[], []]);
  expect(
    changeAt(await project.plan(acme("jane@globex.example")), "tenancy_user_profile.acme_jane").action,
  ).toBe("update");
});

test("a selection limits the recovered objects", async () => {
  const project = await withLostState(acme("jane@acme.example"));
  const selected = { ...RECOVER, only: ["tenancy_account.acme"] };
  const { plan } = await project.apply(acme("jane@acme.example"), selected);
  expect(plan.summary.imported).toBe(1);
  expect(codes(await findings(project.plan(acme("jane@acme.example"))))).toEqual(["TENANCY_UNMANAGED"]);
});
