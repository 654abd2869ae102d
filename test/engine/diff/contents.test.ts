import { Permissions, Tenant } from "tenancy";
import { warnUnknownUsage } from "../../../src/engine/diff/contents";
import type { Change } from "../../../src/plan";
import { projects, type Build } from "../../support/projects";

const start = projects();

test("whoever ceases with an account is told by login, whoever made them", async () => {
  const project = await start();
  const build: Build = (stack) => {
    new Tenant(stack, "acme", { name: "acme", permissions: Permissions.none(), deletionProtection: false });
  };
  await project.apply(build);
  project.service.records.createProfile("acme", { username: "eve" });
  project.service.records.createProfile("acme", { username: "bob" });
  const plan = await project.plan(build, { destroy: true, allowNonempty: true });
  expect(plan.deletedWithAccount).toMatchObject([
    { key: "eve@acme", claim: "unmanaged", reason: "cascade" },
    { key: "bob@acme", claim: "unmanaged", reason: "cascade" },
  ]);
});

test("only an account whose storage is not in the snapshot gets a note that nobody knows what it states", () => {
  const change = (provider: string, id: string) =>
    ({ provider, observedRecord: { id }, title: `${provider} ${id}`, address: id }) as unknown as Change;
  const changes = [change("tenancy", "1"), change("tenancy", "2"), change("tenancy.second", "1")];
  const none = { findings: [], others: [] };
  const found = warnUnknownUsage(changes, [
    { provider: "tenancy", accountId: "1", isUsageUnknown: true, ...none },
    { provider: "tenancy", accountId: "2", ...none },
  ]);
  expect(found).toHaveLength(1);
  expect(JSON.stringify(found)).toContain("tenancy 1");
});
