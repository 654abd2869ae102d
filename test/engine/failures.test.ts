/** An apply that fails half-way: covers src/engine/apply. */
import { Account, Permissions, Tenant, UserProfile } from "tenancy";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { apply } from "../../src/engine";
import { actions, codes, projects, writes, type Build } from "../support/projects";

const start = projects();
const none = Permissions.none();

/** Two tenants that have nothing to do with each other, and a token in the first. */
const two =
  (acme: object = {}, jane: object = {}): Build =>
  (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      ...acme,
      users: { jane: { permissions: none, ...jane } },
      tokens: { prod: { user: "jane" } },
    });
    new Tenant(stack, "globex", {
      name: "globex",
      permissions: Permissions.none(),
      users: { jim: { permissions: none } },
    });
  };

const refuseJane = {
  method: "POST",
  path: "/api/user-profile",
  where: ({ body }: { readonly body: unknown }) =>
    (body as { username?: string } | undefined)?.username === "jane",
  status: 400,
  body: {
    status: 400,
    message: "parameter validation failure",
    type: "validation",
    errors: [
      { type: "format", field: "/email", msg: "is not welcome" },
      { type: "range", field: "/permissions/vss/rights/manage_targets", msg: "may not be" },
      { type: "length", field: "/sms", msg: "is too short" },
    ],
  },
};

test("a refused create is told at the attributes, one finding a field, and other branches finish", async () => {
  const project = await start();
  project.service.fail(refuseJane);
  const { result, events } = await project.run(two({}, { email: "jane@acme.example", sms: "1" }));
  expect(result.ok).toBe(false);
  expect(result.applied.map(({ key }) => key).sort()).toEqual(["acme", "globex", "jim@globex"]);
  expect(result.notTried.map(({ key }) => key)).toEqual(["jane@acme/prod"]);
  expect(result.failed).toHaveLength(1);
  expect(result.failed[0]?.diagnostics).toMatchObject([
    { code: "TENANCY_API_VALIDATION", address: "tenancy_user_profile.acme_jane", attribute: ["email"] },
    { attribute: ["permissions", "vss.manage_targets"] },
    { attribute: ["sms"], constructPath: "prod/acme/users/jane/Resource" },
  ]);
  expect(events.map(({ kind }) => kind)).toContain("skipped");
});

test("a refused change is told at the attribute, and the others are made", async () => {
  const project = await start();
  await project.apply(two());
  project.service.fail({
    method: "PATCH",
    path: /account/,
    status: 400,
    body: {
      status: 400,
      message: "parameter validation failure",
      type: "validation",
      errors: [{ type: "range", field: "/limits/vss_num", msg: "is more than there is" }],
    },
  });
  const { result } = await project.run(two({ limits: { vssNum: 9 } }, { email: "jane@acme.example" }));
  expect(result.failed).toMatchObject([
    { change: { key: "acme" }, diagnostics: [{ attribute: ["limits_vss_num"] }] },
  ]);
  // The user refers to the account, so it is not tried.
  expect(result.notTried.map(({ key }) => key)).toEqual(["jane@acme"]);
});

const withUsers =
  (users: readonly string[], more: object): Build =>
  (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      ...more,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
    });
  };

test("nothing is deleted after a failure", async () => {
  const project = await start();
  await project.apply(withUsers(["jane", "joe", "jack"], {}));
  project.service.fail({ method: "PATCH", status: 403 });
  const { result, requests } = await project.run(withUsers(["jane", "joe"], { limits: { vssNum: 9 } }));
  expect(result.notTried.map(({ key }) => key)).toContain("jack@acme");
  expect(writes(requests).filter((line) => line.startsWith("DELETE"))).toEqual([]);
  await project.apply(withUsers(["jane", "joe"], { limits: { vssNum: 9 } }));
});

test("where what is to be deleted cannot be looked at once more, what was done before is told, and nothing is deleted", async () => {
  const project = await start();
  await project.apply(withUsers(["jane", "joe", "jack"], {}));
  project.service.fail({ method: "GET", path: "/api/user-profile", skip: 1, status: 403 });
  const { result, requests } = await project.run(withUsers(["jane", "joe"], { limits: { vssNum: 9 } }));
  expect(result.applied.map(({ key }) => key)).toEqual(["acme"]);
  expect(result.failed.map(({ change: { key } }) => key)).toEqual(["jack@acme"]);
  expect(writes(requests).filter((line) => line.startsWith("DELETE"))).toEqual([]);
});

test("the run after a failure does what is left", async () => {
  const project = await start();
  project.service.fail(refuseJane);
  await project.run(two());
  const { plan } = await project.apply(two());
  expect(actions(plan)).toEqual([
    "create tenancy_user_profile.acme_jane",
    "create tenancy_authorization.acme_prod",
  ]);
});

test("a create whose answer was lost is found, not made twice", async () => {
  const project = await start();
  project.service.fail({ method: "POST", path: "/api/account", when: "after", reset: true });
  await project.apply(two());
  expect(project.service.records.accounts).toHaveLength(3);
  expect(actions(await project.plan(two()))).toEqual([]);
});

test("an object that was deleted after an earlier run of one program is made again, also where a gateway repeats the request", async () => {
  const project = await start();
  await project.apply(two());
  project.service.records.deleteAccount("globex");
  const repeated = project.service.fail({ method: "POST", path: "/api/account", when: "after", status: 409 });
  const { result } = await project.apply(two());
  expect(repeated.strikes).toBe(1);
  expect(result.applied.map(({ key }) => key).sort()).toEqual(["globex", "jim@globex"]);
});

test("a busy service is asked again", async () => {
  const project = await start();
  const first = project.service.fail({ status: 503, times: 2, retryAfter: 0 });
  await project.apply(two());
  expect(first.strikes).toBe(2);
  const later = project.service.fail({ method: "PATCH", status: 503, retryAfter: 0 });
  await project.apply(two({ limits: { vssNum: 3 } }));
  expect(later.strikes).toBe(1);
  expect(project.service.records.account("acme").limits.vss_num).toBe(3);
});

test("a stop ends the wait of a write at once", async () => {
  const project = await start();
  const stop = new AbortController();
  const plan = await project.plan(two());
  project.service.fail({
    method: "POST",
    path: "/api/account",
    status: 429,
    retryAfter: 60,
    times: 9,
    where: () => (setTimeout(() => stop.abort(), 50), true),
  });
  const { failed } = await apply(plan, { signal: stop.signal });
  expect(failed.map(({ change }) => change.key)).toEqual(["acme", "globex"]);
});

test("a member that the service does not take is an error at its attribute", async () => {
  const project = await start();
  await project.apply(two());
  const ignore = (body: unknown) => ({
    ...(body as object),
    limits: { vss_num: null, size_reserve_total: null },
  });
  project.service.fail({ method: "PATCH", path: /account/, alter: ignore });
  project.service.fail({ method: "GET", path: /account\//, alter: ignore, times: 9 });
  const { result } = await project.run(two({ limits: { vssNum: 9 } }));
  expect(result.failed).toMatchObject([
    {
      change: { key: "acme" },
      diagnostics: [{ code: "TENANCY_NOT_TAKEN", attribute: ["limits_vss_num"] }],
    },
  ]);
});

describe("a run that is stopped", () => {
  test("before it begins asks nothing", async () => {
    const project = await start();
    const signal = AbortSignal.abort();
    await expect(project.plan(two(), { signal })).rejects.toMatchObject({ code: "TENANCY_CANCELLED" });
    expect(project.service.requests).toEqual([]);
  });

  test("while it plans ends at once", async () => {
    const project = await start();
    const stop = new AbortController();
    project.service.fail({ path: "/api/account", hang: true });
    const planning = project.plan(two(), { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(planning).rejects.toMatchObject({ code: "TENANCY_CANCELLED" });
  });

  test("while it applies lets what is under way end, begins nothing new, and keeps and unlocks the state", async () => {
    const project = await start();
    const stop = new AbortController();
    project.service.fail({
      method: "POST",
      path: "/api/account",
      where: () => (stop.abort(), true),
      delay: 100,
    });
    const build = two({ primaryContact: { phone: "+4930" } });
    const made = { signal: stop.signal, parallelism: 1 };
    const { result } = await project.run(build, made, { signal: stop.signal });
    expect(result.ok).toBe(false);
    expect(result.failed).toEqual([]);
    expect(result.applied.map(({ key }) => key)).toEqual(["acme"]);
    expect(result.notTried.map(({ key }) => key).sort()).toEqual([
      "globex",
      "jane@acme",
      "jane@acme/prod",
      "jim@globex",
    ]);
    expect(await readFile(project.state, "utf8")).toContain("primary_contact.phone");
    expect(existsSync(`${project.state}.lock`)).toBe(false);
    const next = await project.apply(build);
    expect(actions(next.plan)).toHaveLength(4);
  });
});

test("two objects that are alike in nothing but their time are made at once", async () => {
  const project = await start();
  let together = 0;
  let most = 0;
  const build: Build = (stack) => {
    for (let number = 0; number < 6; number++)
      new Account(stack, `a${number}`, { name: `a${number}`, permissions: {} });
  };
  const { result } = await project.run(
    build,
    { parallelism: 3 },
    {
      onEvent: ({ kind }) => {
        if (kind === "started") most = Math.max(most, ++together);
        if (kind === "finished") together--;
      },
    },
  );
  expect(result.applied).toHaveLength(6);
  expect(most).toBe(3);
});

test("a record that somebody changed between plan and delete is not deleted, nor what it is in", async () => {
  const project = await start();
  const build =
    (...users: readonly string[]): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme", permissions: {} });
      for (const user of users)
        new UserProfile(stack, user, { username: user, accountId: account.id, permissions: {} });
    };
  await project.apply(build("jane", "joe", "jack"));
  const made = await project.plan(build("jane"), { maxDeletes: 9 });
  project.service.records.patchProfile("joe@acme", { email: "joe@acme.example" });
  const result = await apply(made);
  expect(result.applied.map(({ key }) => key)).toEqual(["jack@acme"]);
  expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
  expect(project.service.records.profile("joe@acme").email).toBe("joe@acme.example");
});

test("an old reading is taken again before a change, which goes on only if it is still the same", async () => {
  const project = await start();
  await project.apply(two());
  const changed = two({ limits: { vssNum: 9 } });
  const later = jest.spyOn(performance, "now");
  try {
    const soon = performance.now();
    const same = await project.plan(changed);
    project.service.records.patchAccount("acme", { primary_contact: { first_name: "Ada" } });
    later.mockImplementation(() => soon + 60_000);
    expect((await apply(same)).ok).toBe(true);
    expect(project.service.records.account("acme").limits.vss_num).toBe(9);

    later.mockImplementation(() => soon + 61_000);
    const other = await project.plan(two({ limits: { vssNum: 10 } }));
    project.service.records.patchAccount("acme", { limits: { vss_num: 3 } });
    later.mockImplementation(() => soon + 120_000);
    const result = await apply(other);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(project.service.records.account("acme").limits.vss_num).toBe(3);
  } finally {
    later.mockRestore();
  }
});

test("a plan is carried out once", async () => {
  const project = await start();
  const made = await project.plan(two());
  await apply(made);
  await expect(apply(made)).rejects.toThrow(TypeError);
});
