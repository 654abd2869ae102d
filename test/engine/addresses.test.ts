/** Two provider configurations of a stack that name one service by two addresses: covers src/engine/addresses.ts. */
import {
  Account,
  Authorization,
  DataTenancyAccounts,
  Permissions,
  Deletion,
  TenancyProvider,
  Tenant,
  UserProfile,
} from "tenancy";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drift, type Plan, planSaved, revokeToken, savePlan, takeSnapshot } from "../../src/engine";
import { startSimulator } from "../../src/lib/simulator";
import {
  actions,
  codes,
  findings,
  projects,
  writes,
  type Build,
  type Project,
  RECKLESS,
} from "../support/projects";
import { temporaryFolder } from "../support/temp-folder";

const start = projects();
const folder = temporaryFolder();

const none = Permissions.none();

/** The service's other address. */
function otherAddress({ service }: Project): string {
  return service.baseUrl.replace("127.0.0.1", "localhost");
}

interface Second {
  readonly baseUrl: string;
  readonly owner?: string;
  /** Users of the tenant globex, which the second provider declares; undefined where it declares no tenant. */
  readonly users?: readonly string[];
  readonly more?: (stack: Parameters<Build>[0], provider: TenancyProvider) => void;
}

/** The tenant acme through the first provider, and what the second one does. */
function both(
  users: readonly string[],
  { baseUrl, owner = "acme-platform", users: others, more }: Second,
): Build {
  return (stack) => {
    new Tenant(stack, "acme", {
      name: "acme",
      permissions: none,
      users: Object.fromEntries(users.map((user) => [user, { permissions: none }])),
    });
    const provider = new TenancyProvider(stack, "second", { alias: "second", owner, baseUrl });
    if (others !== undefined) {
      const account = new Account(stack, "globex", { name: "globex", permissions: {}, provider });
      for (const username of others)
        new UserProfile(stack, username, { username, accountId: account.id, permissions: {}, provider });
    }
    more?.(stack, provider);
  };
}

function logins({ service }: Project): readonly string[] {
  return service.records.profiles.map(({ login }) => login);
}

const CODE = "TENANCY_TWO_ADDRESSES";

describe("two providers with resources at two addresses of one service", () => {
  const declared = (project: Project) => both(["jane"], { baseUrl: otherAddress(project), users: ["joe"] });

  test("are refused before one deletes what the other declares", async () => {
    const project = await start();
    const build = declared(project);
    await project.apply(build);
    const before = project.service.requests.length;
    const [found, ...others] = await findings(project.plan(build, RECKLESS));
    expect(others).toEqual([]);
    const { baseUrl } = project.service;
    expect(found).toMatchObject({
      code: CODE,
      severity: "error",
      address: "provider.tenancy.second",
      attribute: ["base_url"],
      summary: `the providers tenancy (${baseUrl}) and tenancy.second (${otherAddress(project)}) name one service by two addresses`,
    });
    expect(found?.detail).toContain('"acme-platform"');
    expect(found?.advice).toContain("Give both the same `baseUrl`.");
    expect(writes(project.service.requests.slice(before))).toEqual([]);
  });

  test("plan, apply and destroy again once both have one address", async () => {
    const project = await start();
    await project.apply(declared(project));
    const mended = both(["jane"], { baseUrl: project.service.baseUrl, users: ["joe"] });
    expect(actions(await project.plan(mended, RECKLESS))).toEqual([]);
    await project.apply(mended, { ...RECKLESS, destroy: true });
    expect(logins(project)).toEqual(["system"]);
  });

  test("mint a token again under the address that stays, once the old one was revoked", async () => {
    const project = await start();
    const through = (baseUrl: string) =>
      both([], {
        baseUrl,
        users: ["csi"],
        more: (stack, provider) =>
          void new Authorization(stack, "token", {
            login: "csi@globex",
            name: "prod",
            loginWith: "temporary_password",
            provider,
          }),
      });
    const source = project.synthesize(through(otherAddress(project)));
    await project.apply(source);
    expect(codes(await findings(project.plan(source)))).toEqual([CODE]);
    await revokeToken(source, "csi@globex/prod", project.options());
    const { plan } = await project.apply(through(project.service.baseUrl));
    expect(actions(plan)).toEqual(["create tenancy_authorization.token"]);
    expect(project.service.records.authorizations).toHaveLength(1);
  });

  test("are a warning while nothing of ours shows that the service is one", async () => {
    const project = await start();
    const plan = await project.plan(declared(project));
    expect(plan.warnings.map(({ code }) => code)).toEqual([CODE]);
    expect(plan.warnings[0]?.summary).toContain("may name one service");
  });

  test.each([
    ["a destroy", (project: Project, build: Build) => project.plan(build, { ...RECKLESS, destroy: true })],
    ["a partial run", (project: Project, build: Build) => project.plan(build, { only: ["jane@acme"] })],
    ["a run without prunes", (project: Project, build: Build) => project.plan(build, { noPrune: true })],
    [
      "a look for drift",
      (project: Project, build: Build) => drift(project.synthesize(build), project.options()),
    ],
  ])("are refused by %s", async (_what, run) => {
    const project = await start();
    const build = declared(project);
    await project.apply(build);
    expect(codes(await findings(run(project, build)))).toEqual([CODE]);
  });

  test("are refused by a plan from a snapshot", async () => {
    const project = await start();
    const build = declared(project);
    await project.apply(build);
    const source = project.synthesize(build);
    const file = join(project.folder, "live.json");
    await writeFile(file, await takeSnapshot([source], project.options()));
    expect(codes(await findings(project.plan(source, { fromSnapshot: { file } })))).toEqual([CODE]);
  });

  test("are refused by the apply of a plan that was saved before", async () => {
    const project = await start();
    const source = project.synthesize(declared(project));
    const saved = savePlan(await project.plan(source));
    await project.apply(source);
    expect(codes(await findings(planSaved(saved, source.outdir, project.options())))).toEqual([CODE]);
  });

  test("are refused where the owner of one is a previous owner of the other", async () => {
    const project = await start();
    const second = (stack: Parameters<Build>[0]) =>
      new TenancyProvider(stack, "second", {
        alias: "second",
        owner: "acme-cloud",
        previousOwners: ["acme-platform"],
        baseUrl: otherAddress(project),
      });
    const build: Build = (stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {} });
      new Account(stack, "globex", { name: "globex", permissions: {}, provider: second(stack) });
    };
    await project.apply(build);
    expect(codes(await findings(project.plan(build, RECKLESS)))).toEqual([CODE]);
  });

  test("are refused where only the second, which took over from the first one's owner, has made something", async () => {
    const project = await start();
    const cloud = { owner: "acme-cloud", previousOwners: ["acme-platform"] };
    const globex: Build = (stack) => void new Account(stack, "globex", { name: "globex", permissions: {} });
    await project.apply(project.synthesize(globex, cloud));
    const build: Build = (stack) => {
      new Account(stack, "acme", { name: "acme", permissions: {} });
      const second = { alias: "second", ...cloud, baseUrl: otherAddress(project) };
      const provider = new TenancyProvider(stack, "second", second);
      new Account(stack, "globex", { name: "globex", permissions: {}, provider });
    };
    expect(codes(await findings(project.plan(build, RECKLESS)))).toContain(CODE);
  });

  test("are refused where the second only removes", async () => {
    const project = await start();
    const build = (removes: boolean) =>
      both(["jane"], {
        baseUrl: otherAddress(project),
        more: (stack, provider) =>
          removes ? void new Deletion(stack, "gone", { account: "globex", provider }) : undefined,
      });
    await project.apply(build(false));
    expect(codes(await findings(project.plan(build(true), RECKLESS)))).toEqual([CODE]);
  });

  test("are refused where the service shows neither serials nor creation times", async () => {
    const project = await start();
    const build = declared(project);
    await project.apply(build);
    for (const path of ["/api/account", "/api/user-profile"])
      project.service.fail({ path, times: 9, alter: bare });
    expect(codes(await findings(project.plan(build, RECKLESS)))).toEqual([CODE]);
  });

  test.each([
    ["first", 0],
    ["second", 1],
  ])("are refused where the %s list alone shows neither serials nor creation times", async (_which, skip) => {
    const project = await start();
    const build = declared(project);
    await project.apply(build);
    for (const path of ["/api/account", "/api/user-profile"])
      project.service.fail({ path, skip, alter: bare });
    expect(codes(await findings(project.plan(build, RECKLESS)))).toEqual([CODE]);
  });

  test("are refused although the service gives several records one uuid", async () => {
    const project = await start();
    const build = declared(project);
    await project.apply(build);
    for (const name of ["umbrella", "hooli"]) project.service.records.createAccount({ name });
    project.service.fail({ path: "/api/account", times: 9, alter: alike });
    expect(codes(await findings(project.plan(build, RECKLESS)))).toEqual([CODE]);
  });

  test("are not hindered where they have different owners", async () => {
    const project = await start();
    const build = both(["jane"], { baseUrl: otherAddress(project), owner: "other-team", users: ["joe"] });
    await project.apply(build);
    expect(actions(await project.plan(build, RECKLESS))).toEqual([]);
  });
});

type Listed = Readonly<Record<string, unknown>>;

function bare(body: unknown): unknown {
  return Array.isArray(body) ? body.map(({ serial: _serial, ctime: _ctime, ...rest }: Listed) => rest) : body;
}

/** Accounts made by hand have no uuid of their own. */
function alike(body: unknown): unknown {
  const isOfNobody = ({ name }: Listed) => name === "umbrella" || name === "hooli";
  const uuid = "00000000-0000-0000-0000-000000000000";
  return Array.isArray(body)
    ? body.map((record: Listed) => (isOfNobody(record) ? { ...record, uuid } : record))
    : body;
}

describe("a provider without resources at another address of a service", () => {
  const reading = (project: Project, users: readonly string[]) =>
    both(users, {
      baseUrl: otherAddress(project),
      more: (stack, provider) => void new DataTenancyAccounts(stack, "all", { provider }),
    });

  test("is read, and nothing is deleted through it", async () => {
    const project = await start();
    await project.apply(reading(project, ["jane", "joe"]));
    const plan = await project.plan(reading(project, ["jane", "joe"]), RECKLESS);
    expect(actions(plan)).toEqual([]);
    expect(plan.warnings).toEqual([]);
    const { plan: changed, requests } = await project.apply(reading(project, ["jane"]), RECKLESS);
    expect(actions(changed)).toEqual(['delete tenancy_user_profile.undeclared["joe@acme"]']);
    expect(changed.changes.find(({ action }) => action === "delete")?.provider).toBe("tenancy");
    expect(writes(requests)).toHaveLength(1);
  });

  test("is deleted through where it is the same address, or has another owner", async () => {
    const project = await start();
    const { baseUrl } = project.service;
    const second = { alias: "second", owner: "other-team", baseUrl: otherAddress(project) };
    const successor = { ...second, previousOwners: ["acme-platform"], baseUrl };
    for (const config of [second, { ...second, baseUrl }, successor]) {
      const build =
        (isDeclared: boolean): Build =>
        (stack) => {
          tenant(stack, ["jane"]);
          const provider = new TenancyProvider(stack, "second", config);
          if (isDeclared) new Account(stack, "globex", { name: "globex", permissions: {}, provider });
        };
      await project.apply(build(true));
      const { plan } = await project.apply(build(false), RECKLESS);
      expect(plan.changes.map(({ action, provider, key }) => `${action} ${provider} ${key}`)).toContain(
        "delete tenancy.second globex",
      );
    }
  });

  test("is no drift", async () => {
    const project = await start();
    const build = reading(project, ["jane"]);
    await project.apply(build);
    const report = await drift(project.synthesize(build), project.options());
    expect(report.drift).toEqual([]);
    expect(report.status).toBe("none");
  });

  test("raises no limit of deletes", async () => {
    const project = await start();
    const users = Array.from({ length: 12 }, (_unused, index) => `user${index}`);
    await project.apply(reading(project, users));
    const allowed = { allowAccountDeletion: true };
    const refused = await findings(project.plan(reading(project, users.slice(6)), allowed));
    expect(codes(refused)).toEqual(["TENANCY_TOO_MANY_DELETES"]);
    expect(actions(await project.plan(reading(project, users.slice(5)), allowed))).toHaveLength(5);
  });

  test("is destroyed once with the rest, where neither has resources", async () => {
    const project = await start();
    await project.apply(reading(project, ["jane"]));
    const neither: Build = (stack) =>
      void new TenancyProvider(stack, "second", {
        alias: "second",
        owner: "acme-platform",
        baseUrl: otherAddress(project),
      });
    const plan = await project.plan(neither, RECKLESS);
    expect(plan.changes.map(({ provider, key }) => `${provider} ${key}`)).toEqual([
      "tenancy jane@acme",
      "tenancy acme",
    ]);
  });
});

describe("two services with one owner and tenants of the same names", () => {
  const twins =
    (second: string, here: readonly string[], there: readonly string[]): Build =>
    (stack) => {
      tenant(stack, here);
      const alias = { alias: "second", owner: "acme-platform", baseUrl: second };
      tenant(stack, there, new TenancyProvider(stack, "second", alias));
    };

  const deletes = ({ changes }: Plan): readonly string[] =>
    changes.filter(({ action }) => action === "delete").map(({ provider, key }) => `${provider} ${key}`);

  test("are pruned each by what is declared for it, though uuids and ids are the same", async () => {
    const [project, other] = [await start(), await start()];
    const { baseUrl, records } = other.service;
    await project.apply(twins(baseUrl, ["jane", "joe"], ["jane", "joe"]));
    const { id, uuid } = project.service.records.profile("joe@acme");
    expect(records.profile("joe@acme")).toMatchObject({ id, uuid });
    const { plan } = await project.apply(twins(baseUrl, ["jane", "joe"], ["jane"]));
    expect(plan.warnings).toEqual([]);
    expect(deletes(plan)).toEqual(["tenancy.second joe@acme"]);
    expect(logins(project)).toContain("joe@acme");
    expect(logins(other)).not.toContain("joe@acme");
  });

  test("are pruned through a provider without resources, too", async () => {
    const [project, other] = [await start(), await start()];
    const { baseUrl } = other.service;
    await project.apply(twins(baseUrl, ["jane"], ["jane"]));
    const plan = await project.plan(both(["jane"], { baseUrl }), RECKLESS);
    expect(deletes(plan)).toEqual(["tenancy.second jane@acme", "tenancy.second acme"]);
  });

  test("look like one where one was restored from the other's backup, until each has a stack of its own", async () => {
    const dataFile = join(folder(), "records");
    const project = await start({ dataFile });
    const single: Build = (stack) => tenant(stack, ["jane"]);
    await project.apply(single);
    const backup = join(folder(), "backup");
    await copyFile(dataFile, backup);
    const restored = await startSimulator({ dataFile: backup });
    try {
      const stopped = await findings(project.plan(twins(restored.baseUrl, ["jane"], ["jane"]), RECKLESS));
      const refused = stopped.find(({ severity }) => severity === "error");
      expect(refused).toMatchObject({ code: CODE });
      expect(refused?.advice).toContain("a stack of its own");
      const environment = { TENANCY_BASE_URL: restored.baseUrl };
      expect(actions(await project.plan(single, { environment }))).toEqual([]);
    } finally {
      await restored.close();
    }
  });
});

/** The tenant acme, through a provider. */
function tenant(stack: Parameters<Build>[0], users: readonly string[], provider?: TenancyProvider): void {
  const through = provider === undefined ? {} : { provider };
  const name = (part: string) => `${part}-${provider?.alias ?? "first"}`;
  const { id } = new Account(stack, name("acme"), { name: "acme", permissions: {}, ...through });
  for (const username of users)
    new UserProfile(stack, name(username), { username, accountId: id, permissions: {}, ...through });
}
