import { UserProfile, Account } from "cdktf-provider-tenancy";
import { apply } from "../../../src/engine";
import { ownedUuid } from "../../../src/ownership";
import { resources } from "../../../src/resources";
import { textIn } from "../../support/life";
import { actions, codes, projects, writes, type Build } from "../../support/projects";

const start = projects();

afterEach(() => jest.restoreAllMocks());

function jane(password: { version: number } | "unset"): Build {
  return (stack) => {
    const acme = new Account(stack, "acme", { name: "acme" });
    new UserProfile(stack, "jane", {
      username: "jane",
      accountId: acme.id,
      permissions: {},
      ...(password === "unset"
        ? { unset: ["password_wo"] }
        : { passwordWo: "correct horse", passwordWoVersion: password.version }),
    });
  };
}

/** Takes note of each proposal from now on. @returns what was proposed */
function proposals(): () => readonly string[] {
  const spies = [...resources.values()].map((resource) => jest.spyOn(resource, "propose"));
  return () =>
    spies.flatMap(({ mock }) =>
      mock.calls.map(([config, prior], call) => {
        const proposed = mock.results[call]?.value as { readonly action: string };
        return `${proposed.action} ${textIn(prior ?? config, prior === null ? "username" : "login")}`;
      }),
    );
}

test("a password that was taken away already is forgotten, though nothing is sent", async () => {
  const project = await start();
  await project.apply(jane({ version: 1 }));
  project.service.records.patchProfile("jane@acme", { password: null });
  const { requests } = await project.apply(jane("unset"));
  expect(writes(requests)).toEqual([]);
  expect(actions(await project.plan(jane("unset")))).toEqual([]);
});

test("an apply writes what the plan proposed, and proposes anew what the plan could not know", async () => {
  const project = await start();
  const users =
    (email: string, more: readonly string[] = []): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      new UserProfile(stack, "jane", { username: "jane", accountId: acme.id, permissions: {}, email });
      for (const name of more) {
        const account = new Account(stack, name, { name, permissions: {} });
        new UserProfile(stack, `${name}-joe`, { username: "joe", accountId: account.id, permissions: {} });
      }
    };
  await project.apply(users("a@acme.example"));
  const plan = await project.plan(users("b@acme.example", ["globex"]));
  const proposed = proposals();
  expect(await apply(plan)).toMatchObject({ ok: true });
  // The id of his account was not known.
  expect(proposed()).toEqual(["create joe"]);
  expect(actions(await project.plan(users("b@acme.example", ["globex"])))).toEqual([]);
});

describe("a plan that is a minute old by one of the clocks", () => {
  const users =
    (email: string): Build =>
    (stack) => {
      const acme = new Account(stack, "acme", { name: "acme", permissions: {} });
      for (const username of ["jane", "joe"])
        new UserProfile(stack, username, { username, accountId: acme.id, permissions: {}, email });
    };

  /** What a machine shows that was suspended: the monotonic clock has stood still, the wall clock has not. */
  function suspendForAMinute(): void {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, "now").mockImplementation(() => now() + 60_000);
  }

  async function planned() {
    const project = await start();
    await project.apply(users("a@acme.example"));
    const source = project.synthesize(users("b@acme.example"), { owner: "acme-platform", maxRetries: 0 });
    const plan = await project.plan(source, { parallelism: 1 });
    suspendForAMinute();
    return { project, plan };
  }

  test("is read again before its first PATCH, and goes on where nothing has moved", async () => {
    const { project, plan } = await planned();
    const before = project.service.requests.length;
    expect(await apply(plan)).toMatchObject({ ok: true });
    const sent = project.service.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    const firstPatch = sent.findIndex((request) => request.startsWith("PATCH"));
    expect(sent.slice(0, firstPatch)).toContain("GET /api/user-profile");
    expect(sent.filter((request) => request === "GET /api/user-profile")).toHaveLength(1);
  });

  test("goes on where the record has moved, and the same change follows from what it is now", async () => {
    const { project, plan } = await planned();
    project.service.records.patchProfile("jane@acme", { xref: "crm-7" });
    project.service.clearRequests();
    const before = proposals();
    expect(await apply(plan)).toMatchObject({ ok: true });
    expect(before()).toEqual(["update jane@acme"]);
    expect(writes(project.service.requests)).toHaveLength(2);
    expect(project.service.records.profile("jane@acme")).toMatchObject({
      email: "b@acme.example",
      xref: "crm-7",
    });
  });

  test("fails where an account's primary user profile has moved, and goes on where the same change follows", async () => {
    const project = await start();
    const level =
      (level: number): Build =>
      (stack) => {
        for (const name of ["acme", "globex"]) new Account(stack, name, { name, permissions: {}, level });
      };
    await project.apply(level(3));
    const plan = await project.plan(project.synthesize(level(4), { owner: "acme-platform", maxRetries: 0 }));
    suspendForAMinute();
    const { records } = project.service;
    records.patchProfile("acme", { level: 1 });
    records.patchProfile("globex", { xref: "crm-7" });
    const { failed, applied } = await apply(plan);
    expect(failed.map(({ diagnostics: [first] }) => first?.code)).toEqual(["TENANCY_MOVED_ON"]);
    expect(records.profile("acme").level).toBe(1);
    expect(applied.map(({ key }) => key)).toEqual(["globex"]);
    expect(records.profile("globex")).toMatchObject({ level: 4, xref: "crm-7" });
  });

  test("fails where it cannot be read again, and the next object reads anew", async () => {
    const { project, plan } = await planned();
    project.service.fail({ method: "GET", path: "/api/user-profile", status: 500 });
    const result = await apply(plan);
    expect(result.failed.map(({ change }) => change.key)).toEqual(["jane@acme"]);
    expect(result.applied.map(({ key }) => key)).toEqual(["joe@acme"]);
  });

  test("says of a user whose uuid another login has by now that it was renamed, and of one who is gone that it is gone", async () => {
    const { project, plan } = await planned();
    const { records } = project.service;
    const uuid = ownedUuid({ owner: "acme-platform", kind: "user_profile", names: ["acme", "jane"] });
    records.patchProfile("jane@acme", { uuid: "11111111-1111-4111-8111-111111111111" });
    records.createProfile("acme", { username: "joan", uuid });
    records.deleteProfile("joe@acme");
    const { failed } = await apply(plan);
    const [jane, joe] = failed.map(({ diagnostics }) => diagnostics);
    expect(codes(jane ?? [])).toEqual(["TENANCY_RENAMED_OUTSIDE"]);
    expect(codes(joe ?? [])).toEqual(["TENANCY_MOVED_ON"]);
    expect(joe?.[0]?.summary).toContain("it is gone");
  });

  test("does not call a user gone whom a list alone does not show", async () => {
    const { project, plan } = await planned();
    const alter = (list: unknown) =>
      (list as readonly { readonly login: string }[]).filter(({ login }) => login !== "joe@acme");
    project.service.fail({
      method: "GET",
      path: "/api/user-profile",
      alter,
    });
    const { failed } = await apply(plan);
    expect(failed[0]?.diagnostics[0]?.summary).toContain("the lists of the service do not show it any more");
  });
});
