import { readFile } from "node:fs/promises";
import { Permissions, Deletion, Tenant } from "tenancy";
import { apply, planRotation } from "../../../src/engine";
import { codes, projects, writes, type Build, type Project } from "../../support/projects";

const start = projects();

/** @param tokens names of tokens, by user */
function tenant(users: readonly string[], tokens: Readonly<Record<string, string>> = {}): Build {
  return (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: Permissions.none(),
      deletionProtection: false,
      users: Object.fromEntries(users.map((user) => [user, { permissions: Permissions.none() }])),
      tokens: Object.fromEntries(Object.entries(tokens).map(([user, token]) => [token, { user }])),
    });
  };
}

const all = ["jane", "bob", "eve"];
const destroying = { destroy: true, maxDeletes: 99 };

const deletes = ({ service }: Project) =>
  writes(service.requests).filter((line) => line.startsWith("DELETE"));

test("what is deleted is forgotten, and what stays is remembered", async () => {
  const project = await start();
  const remembered = async () => {
    const { parts } = JSON.parse(await readFile(project.state, "utf8")) as {
      readonly parts: readonly {
        readonly objects: { readonly objects: Record<string, { shown?: object }> };
      }[];
    };
    return Object.entries(parts[0]?.objects.objects ?? {}).flatMap(([key, { shown }]) =>
      shown !== undefined && key.startsWith("user_profile:") ? [key.slice("user_profile:".length)] : [],
    );
  };
  await project.apply(tenant(all), { initState: true });
  expect((await remembered()).sort()).toEqual(["bob@acme", "eve@acme", "jane@acme"]);
  await project.apply(tenant(["jane", "eve"]));
  expect((await remembered()).sort()).toEqual(["eve@acme", "jane@acme"]);
});

test("an account whose user cannot be deleted stays, and says why; nothing of it was sent", async () => {
  const project = await start();
  await project.apply(tenant(all));
  const { id } = project.service.records.profile("bob@acme");
  project.service.fail({ method: "DELETE", path: new RegExp(id), status: 403, times: 9 });
  const { result, events, requests } = await project.run(tenant(all), destroying);
  expect(result.failed.map(({ change: { key } }) => key)).toEqual(["bob@acme"]);
  expect(result.notTried.map(({ key }) => key)).toEqual(["acme"]);
  expect(events.find(({ kind }) => kind === "skipped")).toMatchObject({
    reason: "something in it could not be deleted",
  });
  expect(writes(requests).some((line) => line.includes("/account/"))).toBe(false);
});

test("deletes that are stopped before they begin are told as such, and read nothing", async () => {
  const project = await start();
  await project.apply(tenant(all));
  const { result, events, requests } = await project.run(tenant(all), destroying, {
    signal: AbortSignal.abort(),
  });
  expect(result.notTried).toHaveLength(4);
  expect(events.flatMap((event) => (event.kind === "skipped" ? [event.reason] : []))).toEqual(
    result.notTried.map(() => "the run was stopped"),
  );
  expect(requests.filter(({ path }) => path.startsWith("/api/user-profile"))).toEqual([]);
});

test("deletes that are stopped half-way leave the rest, and say so", async () => {
  const project = await start();
  await project.apply(tenant(all));
  const stop = new AbortController();
  project.service.fail({ method: "DELETE", where: () => (stop.abort(), true), delay: 20 });
  const { result, events } = await project.run(
    tenant(all),
    { ...destroying, parallelism: 1 },
    { signal: stop.signal },
  );
  expect(result.applied).toHaveLength(1);
  expect(result.notTried).toHaveLength(3);
  expect(events.flatMap((event) => (event.kind === "skipped" ? [event.reason] : []))).toEqual(
    result.notTried.map(() => "the run was stopped"),
  );
});

describe("what changed after the plan", () => {
  test.each([
    ["keeps an account that somebody changed while its users were deleted", [3], ["acme"]],
    ["does not keep an account that is as it was, and whose number alone has risen", [3, null], []],
  ] as const)("%s", async (_what, limits, left) => {
    const project = await start();
    await project.apply(tenant(all));
    let isDone = false;
    const where = () => {
      for (const vss_num of isDone ? [] : limits)
        project.service.records.patchAccount("acme", { limits: { vss_num } });
      isDone = true;
      return false;
    };
    project.service.fail({ method: "DELETE", path: /user_profile/, where });
    const { result } = await project.run(tenant(all), destroying);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(
      left.map(() => "TENANCY_PLAN_OUTDATED"),
    );
    expect(result.failed.map(({ change: { key } }) => key)).toEqual(left);
  });

  test("deletes what is as it was where every GET raises the sequence number, and keeps what somebody changed", async () => {
    const project = await start();
    await project.apply(tenant(all));
    let count = 1000;
    const raised = (body: unknown): unknown =>
      Array.isArray(body) ? body.map(raised) : { ...(body as object), seq: ++count };
    project.service.fail({ method: "GET", path: /account|user-profile/, times: 999, alter: raised });
    const made = await project.plan(tenant(["eve"]));
    project.service.records.patchProfile("bob@acme", { email: "bob@acme.example" });
    const { failed, applied } = await apply(made);
    expect(applied.map(({ key }) => key)).toEqual(["jane@acme"]);
    expect(failed).toMatchObject([
      {
        change: { key: "bob@acme" },
        diagnostics: [
          { code: "TENANCY_PLAN_OUTDATED", summary: expect.stringContaining("email changed") as string },
        ],
      },
    ]);
    await project.apply(tenant(["eve"]));
    expect(project.service.records.profiles.map(({ login }) => login)).not.toContain("bob@acme");
    await project.apply(tenant(all), destroying);
    expect(project.service.records.accounts.map(({ name }) => name)).toEqual(["system"]);
  });

  test("keeps a user that somebody changed between the last look at all and the look at it alone", async () => {
    const project = await start();
    await project.apply(tenant(all));
    const { id } = project.service.records.profile("bob@acme");
    const made = await project.plan(tenant(["jane", "eve"]));
    const where = () => {
      project.service.records.patchProfile("bob@acme", { email: "bob@acme.example" });
      return false;
    };
    project.service.fail({ method: "GET", path: new RegExp(`${id}$`), where });
    const result = await apply(made);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(deletes(project)).toEqual([]);
  });

  test("counts as deleted where somebody else has deleted it, and as another one where it was made anew", async () => {
    const project = await start();
    await project.apply(tenant([...all, "joe", "jim"]));
    const made = await project.plan(tenant(["jane", "eve", "jim"]));
    const { records } = project.service;
    records.deleteProfile("bob@acme");
    records.deleteProfile("joe@acme");
    records.createProfile("acme", { username: "joe" });
    const result = await apply(made);
    expect(result.applied.map(({ key }) => key)).toEqual(["bob@acme", "joe@acme"]);
    expect(deletes(project)).toEqual([]);
    expect(records.profile("joe@acme")).toBeDefined();
  });

  test("counts as deleted where somebody else has deleted the account with all that was in it", async () => {
    const project = await start();
    await project.apply(tenant(all));
    const made = await project.plan(tenant(all), destroying);
    project.service.records.deleteAccount("acme");
    const result = await apply(made);
    expect([result.ok, result.applied.length]).toEqual([true, 4]);
    expect(deletes(project)).toEqual([]);
  });

  test("keeps the users of an account that is another one now", async () => {
    const project = await start();
    await project.apply(tenant(all));
    const made = await project.plan(tenant(all), destroying);
    const alter = (body: unknown) =>
      (body as { readonly name: string }[]).map((one) =>
        one.name === "acme" ? { ...one, uuid: "6ba7b810-9dad-11d1-80b4-00c04fd430c8" } : one,
      );
    project.service.fail({ method: "GET", path: "/api/account", times: 9, alter });
    const result = await apply(made);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(result.notTried).toHaveLength(3);
    expect(deletes(project)).toEqual([]);
  });

  test("counts a token as revoked that another run has revoked since", async () => {
    const project = await start();
    await project.apply(tenant(["jane"], { jane: "prod" }), { initState: true });
    const made = await project.plan(tenant(["jane"]));
    await project.apply(tenant(["jane"]));
    expect((await apply(made)).ok).toBe(true);
  });

  test("keeps a token that another run has rotated since", async () => {
    const project = await start();
    const tokens = { jane: "prod" };
    await project.apply(tenant(["jane"], tokens), { initState: true });
    const made = await project.plan(tenant(["jane"]));
    await apply(await planRotation(project.synthesize(tenant(["jane"], tokens)), "prod", project.options()));
    const result = await apply(made);
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(["TENANCY_PLAN_OUTDATED"]);
    expect(deletes(project)).toEqual([]);
  });
});

test("storage that comes while an account's users are deleted keeps the account, unless it may go with what is in it", async () => {
  for (const allowNonempty of [false, true]) {
    const project = await start();
    await project.apply(tenant(all));
    const where = () => (project.service.records.setUsage("acme", { vss_num: 2 }), false);
    project.service.fail({ method: "DELETE", path: /user_profile/, where });
    const { result } = await project.run(tenant(all), { ...destroying, allowNonempty });
    expect(codes(result.failed.flatMap(({ diagnostics }) => diagnostics))).toEqual(
      allowNonempty ? [] : ["TENANCY_ACCOUNT_NOT_EMPTY"],
    );
  }
});

test("a token that the service cannot revoke by itself ends with its user, and stays where its user stays", async () => {
  const project = await start({ revocation: false });
  const tokens = { jane: "laptop", bob: "desk" };
  await project.apply(tenant(all, tokens), { initState: true });
  const { result } = await project.run((stack) => {
    tenant(["jane", "eve"])(stack);
    new Deletion(stack, "bob-left", { login: "bob@acme" });
  });
  expect(result.failed.map(({ change: { key } }) => key)).toEqual(["jane@acme/laptop"]);
  expect(result.applied.map(({ key }) => key)).toEqual(["bob@acme/desk", "bob@acme"]);
  const state = await readFile(project.state, "utf8");
  expect(state).toContain('"laptop"');
});

test("a rotated token and the one that it replaced end with their user, where the service revokes neither by itself", async () => {
  const project = await start({ revocation: false });
  const declared =
    (keepers: Readonly<Record<string, string>>, users: readonly string[] = ["bob"]): Build =>
    (stack) =>
      void new Tenant(stack, "acme", {
        name: "acme",
        permissions: Permissions.none(),
        users: Object.fromEntries(users.map((user) => [user, { permissions: Permissions.none() }])),
        tokens: Object.fromEntries(users.map((user) => ["desk", { user, keepers }])),
      });
  await project.apply(declared({ year: "2026" }));
  await project.apply(declared({ year: "2027" }));
  const [first, second, ...others] = project.service.records.authorizations;
  expect([first?.user_id, others]).toEqual([second?.user_id, []]);
  // Both refusals are the same failure.
  await project.apply(declared({}, []));
  expect(project.service.records.profiles.map(({ login }) => login)).not.toContain("bob@acme");
  expect(project.service.records.authorizations).toEqual([]);
  expect(await readFile(project.state, "utf8")).not.toContain("desk");
  expect((await project.plan(declared({}, []))).warnings).toEqual([]);
});

test("a token that was to end with its user, who could not be deleted, is noted as one that is to be revoked", async () => {
  const project = await start({ revocation: false });
  await project.apply(tenant(all, { bob: "desk" }), { initState: true });
  project.service.fail({ method: "DELETE", path: /user_profile/, status: 403, times: 9 });
  await project.run(tenant(["jane", "eve"]));
  const { parts } = JSON.parse(await readFile(project.state, "utf8")) as {
    readonly parts: readonly { readonly failed_revocations: readonly object[] }[];
  };
  expect(parts[0]?.failed_revocations).toMatchObject([{ login: "bob@acme", name: "desk" }]);
});
