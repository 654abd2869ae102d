/** Without a state, one owner at two provider configurations of one service is refused: covers src/engine/shared-owner.ts. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TerraformStack, TerraformVariable } from "cdktf";
import {
  Account,
  DataTenancyAccounts,
  TenancyProvider,
  type TenancyProviderConfig,
  UserProfile,
} from "tenancy";
import { drift, type Plan, validate } from "../../src/engine";
import {
  actions,
  type Build,
  codes,
  findings,
  type Project,
  projects,
  RECKLESS,
  writes,
} from "../support/projects";

const start = projects();

const none = { state: { path: "none" } };

const CODE = "TENANCY_SHARED_OWNER";

/** An app of stacks that have one account each. @returns its stack `prod` */
const app = (project: Project, providers: Readonly<Record<string, TenancyProviderConfig>>) =>
  project.synthesizeApp((scope) => {
    for (const [name, config] of Object.entries(providers)) {
      const stack = new TerraformStack(scope, name);
      new TenancyProvider(stack, "service", config);
      new Account(stack, "acme", { name, permissions: {} });
    }
  });

test("two stacks with the same owner for the same service are refused", async () => {
  const project = await start();
  const source = app(project, { base: { owner: "acme-platform" }, prod: { owner: "acme-platform" } });
  const [found, ...others] = await findings(project.plan(source, none));
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: CODE, severity: "error" });
  expect(found?.summary).toContain('the stacks "base" and "prod" have the same owner');
  expect(project.service.requests).toEqual([]);
  expect(codes(await findings(validate(source, project.options(none))))).toEqual([CODE]);
  // Whichever service the environment will name, it is one and the same.
  expect(codes(await findings(validate(source, none)))).toEqual([CODE]);
  expect(actions(await project.plan(source))).toEqual(["create tenancy_account.acme"]);
});

test("two stacks are refused where one has its owner or its address from something sensitive: it would delete the other's records", async () => {
  for (const name of ["owner", "base_url"]) {
    const project = await start();
    const source = project.synthesizeApp((scope) => {
      for (const id of ["prod", "other"]) {
        const stack = new TerraformStack(scope, id);
        new TenancyProvider(stack, "service", { owner: "acme-platform", baseUrl: project.service.baseUrl });
        new Account(stack, "acme", { name: id, permissions: {} });
        if (id === "prod") continue;
        new TerraformVariable(stack, "hidden", { type: "string", sensitive: true });
        stack.addOverride(`provider.tenancy.0.${name}`, "${var.hidden}");
      }
    });
    const values = { owner: "acme-platform", base_url: project.service.baseUrl };
    const environment = { TF_VAR_hidden: values[name as keyof typeof values] };
    const told = codes(await findings(project.plan({ ...source, name: "prod" }, { ...none, environment })));
    expect(told).toEqual([CODE]);
  }
});

test("two stacks are refused where one names the service, and the environment names it for the other", async () => {
  const project = await start();
  const { baseUrl } = project.service;
  const source = app(project, {
    base: { owner: "acme-platform", baseUrl },
    prod: { owner: "acme-platform" },
  });
  expect(codes(await findings(validate(source, project.options(none))))).toEqual([CODE]);
});

test("two stacks may have the same owners at different services", async () => {
  const project = await start();
  const elsewhere = { owner: "base", baseUrl: "https://other.example" };
  const source = app(project, { base: elsewhere, prod: { owner: "base" } });
  expect(await validate(source, project.options(none))).toEqual([]);
});

test("a stack is planned although others of its app have no owner, or a wrong provider", async () => {
  const project = await start();
  const source = app(project, {
    none: {},
    unfit: { owner: "acme-platform", baseUrl: "no address" },
    prod: { owner: "acme-platform" },
  });
  expect(await validate(source, project.options(none))).toEqual([]);
  expect(actions(await project.plan(source, none))).toEqual(["create tenancy_account.acme"]);
});

test("a stack is planned although another one of its app cannot be read", async () => {
  const project = await start();
  const source = app(project, { broken: { owner: "acme-platform" }, prod: { owner: "acme-platform" } });
  await writeFile(join(source.outdir, "stacks", "broken", "cdk.tf.json"), "{");
  expect(await validate(source, project.options(none))).toEqual([]);
  expect(actions(await project.plan(source, none))).toEqual(["create tenancy_account.acme"]);
  expect(codes(await findings(project.plan({ ...source, name: "broken" }, none)))).toEqual([
    "TENANCY_SYNTHESIS_FAILED",
  ]);
});

/** The account acme with its users through the first provider, and globex through a second one. */
function both(users: readonly string[], second: TenancyProviderConfig, others?: readonly string[]): Build {
  return (stack) => {
    tenant(stack, "acme", users);
    const provider = new TenancyProvider(stack, "second", { alias: "second", ...second });
    if (others === undefined) void new DataTenancyAccounts(stack, "all", { provider });
    else tenant(stack, "globex", others, provider);
  };
}

function tenant(
  stack: Parameters<Build>[0],
  name: string,
  users: readonly string[],
  provider?: TenancyProvider,
): void {
  const through = provider === undefined ? {} : { provider };
  const { id } = new Account(stack, `${provider?.alias ?? "first"}_${name}`, {
    name,
    permissions: {},
    ...through,
  });
  for (const username of users)
    new UserProfile(stack, `${provider?.alias ?? "first"}_${username}`, {
      username,
      accountId: id,
      permissions: {},
      ...through,
    });
}

const sharing: TenancyProviderConfig = { owner: "acme-platform" };

describe("two provider configurations of one stack", () => {
  test.each([
    ["have resources", ["joe"], undefined],
    ["have none in the second", undefined, undefined],
    ["have two addresses", ["joe"], "https://storage.example"],
  ])("are refused where they %s, and one owner", async (_what, others, baseUrl) => {
    const project = await start();
    const source = project.synthesize(
      both(["jane"], { ...sharing, ...(baseUrl !== undefined && { baseUrl }) }, others),
    );
    for (const run of [
      () => project.plan(source, none),
      () => project.plan(source, { ...none, destroy: true }),
      () => validate(source, project.options(none)),
      () => drift(source, project.options(none)),
    ]) {
      const [found, ...more] = await findings(run());
      expect(more).toEqual([]);
      expect(found).toMatchObject({
        code: CODE,
        severity: "error",
        address: "provider.tenancy.second",
        summary: expect.stringContaining(
          "the provider configurations tenancy and tenancy.second have the same owner",
        ) as string,
        advice: expect.stringContaining("Declare all objects of this owner through tenancy") as string,
      });
    }
    expect(writes(project.service.requests)).toEqual([]);
  });

  test("of two owners at one service are planned, applied and destroyed, and each deletes its own", async () => {
    const project = await start();
    const second = { owner: "other-team" };
    await project.apply(both(["jane", "jim"], second, ["joe", "jack"]), none);
    expect(
      actions(await project.plan(both(["jane", "jim"], second, ["joe", "jack"]), { ...RECKLESS, ...none })),
    ).toEqual([]);
    const { plan } = await project.apply(both(["jane"], second, ["joe"]), { ...RECKLESS, ...none });
    expect(deletes(plan)).toEqual(["tenancy jim@acme", "tenancy.second jack@globex"]);
    await project.apply(both(["jane"], second, ["joe"]), { ...RECKLESS, ...none, destroy: true });
    expect(project.service.records.profiles.map(({ login }) => login)).toEqual(["system"]);
  });
});

const deletes = ({ changes }: Plan): readonly string[] =>
  changes.filter(({ action }) => action === "delete").map(({ provider, key }) => `${provider} ${key}`);

describe("two services with tenants of the same names", () => {
  const twins =
    (second: TenancyProviderConfig, here: readonly string[], there: readonly string[]): Build =>
    (stack) => {
      tenant(stack, "acme", here);
      const alias = { alias: "second", ...second };
      tenant(stack, "acme", there, new TenancyProvider(stack, "second", alias));
    };

  test("are pruned each by what is declared for it, though ids are the same", async () => {
    const [project, other] = [await start(), await start()];
    const { baseUrl, records } = other.service;
    await project.apply(twins({ baseUrl }, ["jane", "joe"], ["jane", "joe"]));
    const { id } = project.service.records.profile("joe@acme");
    expect(records.profile("joe@acme")).toMatchObject({ id });
    const { plan } = await project.apply(twins({ baseUrl }, ["jane", "joe"], ["jane"]));
    expect(plan.warnings).toEqual([]);
    expect(deletes(plan)).toEqual(["tenancy.second joe@acme"]);
    expect(project.service.records.profiles.map(({ login }) => login)).toContain("joe@acme");
    expect(records.profiles.map(({ login }) => login)).not.toContain("joe@acme");
  });

  test("are pruned through a provider without resources, too", async () => {
    const [project, other] = [await start(), await start()];
    const { baseUrl } = other.service;
    await project.apply(twins({ baseUrl }, ["jane"], ["jane"]));
    const plan = await project.plan(both(["jane"], { baseUrl }), RECKLESS);
    expect(deletes(plan)).toEqual(["tenancy.second jane@acme", "tenancy.second acme"]);
  });
});
