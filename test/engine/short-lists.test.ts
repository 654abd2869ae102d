/** Lists that lack records: covers src/service/list-completeness.ts in whole runs. */
import { Permissions, Tenant } from "tenancy";
import type { Fault } from "../../src/lib/simulator";
import { actions, codes, findings, projects, writes, type Build, type Project } from "../support/projects";

const start = projects();

/** A list that breaks off would be asked for again, for two minutes. */
const impatient = (project: Project, build: Build) =>
  project.synthesize(build, { owner: "acme-platform", retryTimeout: "0s" });

const tenants =
  (...users: readonly string[]): Build =>
  (stack) => {
    for (const name of ["acme", "globex"])
      new Tenant(stack, name, {
        name,
        users: Object.fromEntries(users.map((user) => [user, { permissions: Permissions.none() }])),
      });
  };

type Listed = Readonly<Record<string, unknown>>;

const without =
  (isMissing: (record: Listed) => boolean): NonNullable<Fault["alter"]> =>
  (list) =>
    (list as readonly Listed[]).filter((record) => !isMissing(record));

/** Lists go wrong from now on, at every reading. */
function fail(project: Project, list: "account" | "user-profile", fault: Fault): void {
  project.service.fail({ method: "GET", path: `/api/${list}`, times: 100, ...fault });
}

const cutShort: readonly (readonly [string, "account" | "user-profile", Fault, string])[] = [
  ["breaks off", "account", { truncate: true }, "TENANCY_API_CONNECTION_LOST"],
  ["breaks off", "user-profile", { truncate: true }, "TENANCY_API_CONNECTION_LOST"],
  ["is empty", "account", { alter: () => [] }, "TENANCY_INCOMPLETE_LISTS"],
  ["is empty", "user-profile", { alter: () => [] }, "TENANCY_INCOMPLETE_LISTS"],
  [
    "lacks the caller",
    "account",
    { alter: without(({ name }) => name === "system") },
    "TENANCY_INCOMPLETE_LISTS",
  ],
  [
    "lacks the caller",
    "user-profile",
    { alter: without(({ login }) => login === "system") },
    "TENANCY_INCOMPLETE_LISTS",
  ],
  [
    "lacks an account that has users",
    "account",
    { alter: without(({ name }) => name === "globex") },
    "TENANCY_INCOMPLETE_LISTS",
  ],
  [
    "lacks an account's primary user",
    "user-profile",
    { alter: without(({ login }) => login === "globex") },
    "TENANCY_INCOMPLETE_LISTS",
  ],
  [
    "ends after its first half",
    "account",
    { alter: (list) => (list as readonly Listed[]).slice(0, 2) },
    "TENANCY_INCOMPLETE_LISTS",
  ],
  ["is no list", "account", { alter: () => ({ accounts: [] }) }, "TENANCY_API_UNEXPECTED"],
];

describe.each(cutShort)("a list that %s (%s)", (_what, list, fault, code) => {
  test("stops a plan that would delete, and one that would create", async () => {
    const project = await start();
    await project.apply(tenants("jane", "joe"));
    const before = project.service.requests.length;
    fail(project, list, fault);
    expect(codes(await findings(project.plan(impatient(project, tenants("jane")))))).toContain(code);
    const larger = impatient(project, tenants("jane", "joe", "jim"));
    expect(codes(await findings(project.plan(larger)))).toContain(code);
    expect(writes(project.service.requests.slice(before))).toEqual([]);
  });
});

test("a list that lacks users, and could be whole, deletes nobody", async () => {
  const project = await start();
  await project.apply(tenants("jane", "joe"));
  fail(project, "user-profile", { alter: without(({ login }) => String(login).startsWith("joe@")) });
  expect(actions(await project.plan(tenants("jane")))).toEqual([]);
  expect(actions(await project.plan(tenants("jane", "joe")))).toEqual([
    "create tenancy_user_profile.acme_joe",
    "create tenancy_user_profile.globex_joe",
  ]);
});

test("a list that lags behind and still holds a user of ours who was deleted makes no create look done", async () => {
  const project = await start({ reuseUuids: false });
  await project.apply(tenants("jane", "joe"));
  const listed: Listed[] = [];
  const hear: NonNullable<Fault["alter"]> = (list) => {
    listed.push(...(list as readonly Listed[]).filter(({ login }) => String(login).startsWith("jane@")));
    return list;
  };
  fail(project, "user-profile", { times: 1, alter: hear });
  await project.apply(tenants("joe"));
  // The plan's list is whole; the one that is read after the refusal of the first uuid is old.
  fail(project, "user-profile", { skip: 1, alter: (list) => [...(list as readonly Listed[]), ...listed] });
  const { result } = await project.run(tenants("jane", "joe"));
  expect(result.ok).toBe(true);
  expect(listed).toHaveLength(2);
  expect(project.service.records.profiles.map(({ login }) => login)).toContain("jane@acme");
});
