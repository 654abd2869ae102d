/** Users and tenants that are suspended and come back: covers src/engine/suspension.ts and `suspended` of the constructs in whole runs. */
import { Account, Tenant, UserProfile } from "tenancy";
import { suspensionOpen, TenancyError, worksThoughSuspended } from "../../src/problems";
import { actions, projects, tenant, type Build } from "../support/projects";

const start = projects();

const acme =
  (more: object = {}, jane: object = {}): Build =>
  (stack) =>
    void new Tenant(stack, "acme", {
      name: "acme",
      permissions: undefined as never,
      ...more,
      users: { jane: { ...jane }, csi: {} },
      tokens: { prod: { user: "csi" } },
    });

type Started = Awaited<ReturnType<typeof start>>;
const accessOf = ({ service }: Started, login: string) => service.records.profile(login).access;
const BOTH = { web: true, api: true };
const NONE = { web: false, api: false };

const refusedFindings = async (planning: Promise<unknown>) => {
  const error: unknown = await planning.then(
    () => undefined,
    (one: unknown) => one,
  );
  return error instanceof TenancyError ? error.toDiagnostics() : [];
};

test("a suspended user loses web and API access, and gets back what is declared", async () => {
  const project = await start();
  await project.apply(acme());
  await project.apply(acme({}, { suspended: true }));
  expect(accessOf(project, "jane@acme")).toEqual(NONE);
  expect(accessOf(project, "csi@acme")).toEqual(BOTH);
  expect(actions(await project.plan(acme({}, { suspended: true })))).toEqual([]);

  await project.apply(acme({}, { suspended: false, access: { web: false } }));
  expect(accessOf(project, "jane@acme")).toEqual({ web: false, api: true });
  // From now on the state remembers no suspension.
  expect(actions(await project.plan(acme()))).toEqual([]);
});

test("a suspension that is no longer declared is an error that offers false", async () => {
  const project = await start();
  await project.apply(acme());
  await project.apply(acme({ suspended: true }));
  const refused = await refusedFindings(project.plan(acme()));
  expect(refused.map(({ code, address }) => [code, address])).toEqual([
    [suspensionOpen.code, "tenancy_account.acme"],
    [suspensionOpen.code, "tenancy_user_profile.acme_csi"],
    [suspensionOpen.code, "tenancy_user_profile.acme_jane"],
  ]);
  expect(refused[0]?.advice).toContain("Write `suspended: false`");
  await expect(project.plan(acme({ access: BOTH }, { access: NONE }))).rejects.toThrow('"csi@acme"');

  const { plan } = await project.apply(acme({ suspended: false }));
  expect(plan.access.filter(({ effect }) => effect === "grants").map(({ who }) => who)).toEqual(
    expect.arrayContaining(["acme", "jane@acme", "csi@acme"]),
  );
  for (const login of ["acme", "jane@acme", "csi@acme"]) expect(accessOf(project, login)).toEqual(BOTH);
  expect(actions(await project.plan(acme()))).toEqual([]);
});

test("a suspension of a user who has no access anyway is remembered, too", async () => {
  const project = await start();
  await project.apply(acme({}, { access: NONE }));
  const { requests } = await project.apply(acme({}, { suspended: true }));
  expect(requests.filter(({ method }) => method === "PATCH")).toEqual([]);
  expect((await refusedFindings(project.plan(acme()))).map(({ code }) => code)).toEqual([
    suspensionOpen.code,
  ]);
});

test("the plan of a suspended tenant lists the users and tokens that still work", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.records.createProfile("acme", { username: "eve" });
  project.service.records.createProfile("acme", { username: "mallory", access: { web: false } });
  project.service.records.createProfile("acme", { username: "gone", access: NONE });
  const plan = await project.plan(acme({ suspended: true }));
  const [warning] = plan.warnings.filter(({ code }) => code === worksThoughSuspended.code);
  expect(warning?.detail).toBe(
    'Nothing in this stack suspends these users of "acme": eve@acme (web and API access), mallory@acme (API access).',
  );
  await project.apply(acme({ suspended: true }));
  expect(accessOf(project, "csi@acme")).toEqual(NONE);
  expect(accessOf(project, "eve@acme")).toEqual(BOTH);

  // A user whom another stack declares keeps its token, which works.
  const elsewhere: Build = (stack) =>
    void new Tenant(stack, "acme", { name: "acme", suspended: true, access: NONE });
  const other = await project.plan(elsewhere, { noPrune: true });
  expect(other.warnings.find(({ code }) => code === worksThoughSuspended.code)?.detail).toContain("eve@acme");
});

test("a token of a user who still works is listed with the user", async () => {
  const project = await start();
  await project.apply(acme());
  // The user leaves the declaration and stays in the account.
  const plan = await project.plan(tenant("acme", [], { permissions: undefined, suspended: true }), {
    noPrune: true,
  });
  const detail = plan.warnings.find(({ code }) => code === worksThoughSuspended.code)?.detail;
  expect(detail).toBe(
    'Nothing in this stack suspends these users of "acme": csi@acme (web and API access), jane@acme (web and API access). ' +
      "Their tokens work, too: csi@acme/prod.",
  );
});

test("in HCL, access that is declared says all, and nothing is remembered", async () => {
  const project = await start();
  const hcl =
    (access: object): Build =>
    (stack) => {
      const account = new Account(stack, "acme", { name: "acme" });
      new UserProfile(stack, "jane", { accountId: account.id, username: "jane", ...access });
    };
  await project.apply(hcl({ accessWeb: false, accessApi: false }));
  expect(accessOf(project, "jane@acme")).toEqual(NONE);
  expect(actions(await project.plan(hcl({})))).toEqual([]);
});

test("a changed activation is recorded with a warning, and sent to nobody", async () => {
  const project = await start();
  const account =
    (activated?: boolean): Build =>
    (stack) =>
      void new Account(stack, "acme", { name: "acme", ...(activated !== undefined && { activated }) });
  await project.apply(account(true));
  const { plan, requests } = await project.apply(account(false));
  expect(plan.warnings.map(({ code }) => code)).toContain("TENANCY_CREATE_ONLY");
  expect(plan.access.filter(({ effect }) => effect !== "stays")).toEqual([]);
  expect(requests.filter(({ method }) => method !== "GET" && method !== "POST")).toEqual([]);
  expect(project.service.records.profile("acme").activated).toBe(true);
  const again = await project.plan(account(true));
  expect(again.warnings.map(({ code }) => code)).not.toContain("TENANCY_CREATE_ONLY");
});
