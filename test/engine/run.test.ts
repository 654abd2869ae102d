/** Which services a run talks to, and with what credentials: covers src/service/connection.ts and src/engine/survey.ts, besides its own source. */
import { Account, Permissions, TenancyProvider, Tenant } from "cdktf-provider-tenancy";
import { doctor } from "../../src/engine/doctor";
import { outputs, planRotation } from "../../src/engine";
import { revokeToken } from "../../src/engine/tokens/revoke";
import { actions, codes, findings, projects, writes, type Build, type Project } from "../support/projects";
import { acme, kept, leave } from "./tokens/support";

const start = projects();

const tenant: Build = (stack) => {
  new Tenant(stack, "acme", {
    name: "acme",
    users: { csi: { permissions: Permissions.none() } },
    tokens: { prod: { user: "csi" } },
  });
};

/** Variables for one service alone. */
const forService = (baseUrl: string, values: Record<string, string>) => {
  const { hostname, port } = new URL(baseUrl);
  const name = `${hostname.replaceAll(".", "_")}_${port}`;
  return Object.fromEntries(
    Object.entries(values).map(([variable, value]) => [`${variable}__${name}`, value]),
  );
};

describe("where TENANCY_ALLOWED_ORIGINS is set", () => {
  test("nothing is sent to a service that it does not name, by whatever verb", async () => {
    const project = await start();
    const source = project.synthesize(tenant);
    await project.apply(source, { initStore: true });
    const sent = project.service.requests.length;
    const options = project.options({ environment: { TENANCY_ALLOWED_ORIGINS: "https://storage.example" } });
    const refused = [
      project.plan(source, options),
      outputs(source, options),
      planRotation(source, "prod", options),
      revokeToken(source, "prod", options),
    ];
    for (const work of refused) expect(codes(await findings(work))).toEqual(["TENANCY_ORIGIN_NOT_ALLOWED"]);
    for (const where of [source, undefined])
      expect(await doctor(where, options)).toMatchObject([
        { checks: [{ outcome: "failed", code: "TENANCY_ORIGIN_NOT_ALLOWED" }] },
      ]);
    expect(project.service.requests).toHaveLength(sent);
  });

  test("a service that it names is talked to", async () => {
    const project = await start();
    const list = `https://storage.example, ${project.service.baseUrl.toUpperCase()}/`;
    const environment = { TENANCY_ALLOWED_ORIGINS: list };
    const { requests } = await project.apply(tenant, { initStore: true, environment });
    expect(project.service.requests.map(({ path }) => path)).toContain("/api/oauth2/token");
    expect(writes(requests)).toContain("POST /api/account");
    expect(project.service.records.account("acme")).toMatchObject({ name: "acme" });
  });

  test("a base_url of the code's gets no password", async () => {
    const project = await start();
    const other = await start();
    const source = project.synthesize(tenant, { owner: "acme-platform", baseUrl: other.service.baseUrl });
    const environment = { TENANCY_ALLOWED_ORIGINS: project.service.baseUrl };
    expect(codes(await findings(project.plan(source, { environment })))).toEqual([
      "TENANCY_ORIGIN_NOT_ALLOWED",
    ]);
    expect(other.service.requests).toEqual([]);
  });
});

test("each service of a project is logged in to with credentials of its own", async () => {
  const project = await start({ systemUser: { username: "staging-admin", password: "of staging" } });
  const other = await start({ systemUser: { username: "production-admin", password: "of production" } });
  const build: Build = (stack) => {
    new Account(stack, "here", { name: "here", permissions: {} });
    const { baseUrl } = other.service;
    const provider = new TenancyProvider(stack, "other", { alias: "other", owner: "acme-prod", baseUrl });
    new Account(stack, "there", { name: "there", permissions: {}, provider });
  };
  const environment = {
    ...forService(project.service.baseUrl, {
      TENANCY_USERNAME: "staging-admin",
      TENANCY_PASSWORD: "of staging",
    }),
    ...forService(other.service.baseUrl, {
      TENANCY_USERNAME: "production-admin",
      TENANCY_PASSWORD: "of production",
    }),
    TENANCY_USERNAME: "nobody",
    TENANCY_PASSWORD: "of nobody",
  };
  const { plan } = await project.apply(build, { environment });
  expect([...actions(plan)].sort()).toEqual(["create tenancy_account.here", "create tenancy_account.there"]);
  expect(plan.targets.map(({ caller }) => caller).sort()).toEqual(["production-admin", "staging-admin"]);
});

describe("the session of a service", () => {
  const logIns = ({ service }: Project) =>
    service.requests.filter(({ path }) => path === "/api/oauth2/token").length;

  const owners =
    (more: object): Build =>
    (stack) => {
      new Account(stack, "here", { name: "here", permissions: {} });
      const provider = new TenancyProvider(stack, "other", { alias: "other", owner: "acme-two", ...more });
      new Account(stack, "there", { name: "there", permissions: {}, provider });
    };

  test("is shared by providers that differ in the owner alone, and what one makes the other sees", async () => {
    const project = await start();
    const { plan } = await project.apply(owners({}));
    expect(plan.targets.map(({ owner }) => owner).sort()).toEqual(["acme-platform", "acme-two"]);
    expect(logIns(project)).toBe(1);
    expect(actions(await project.plan(owners({})))).toEqual([]);
  });

  test("is not shared by providers that differ in anything else", async () => {
    const project = await start();
    await project.apply(owners({ maxRetries: 1 }));
    expect(logIns(project)).toBe(2);
  });
});

test("a plan that only reads sends nothing but GET and log-ins, and asks nothing once it is stopped", async () => {
  const project = await start();
  await project.apply(acme());
  project.service.clearRequests();
  await project.plan(acme());
  expect(writes(project.service.requests)).toEqual([]);
  const sent = project.service.requests.length;
  const stopped = project.plan(acme(), { signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ code: "TENANCY_CANCELLED" });
  expect(project.service.requests).toHaveLength(sent);
});

test("a plan that is stopped while it waits for the service ends", async () => {
  const project = await start();
  const stop = new AbortController();
  project.service.fail({ path: "/api/account", hang: true, where: () => (stop.abort(), true) });
  const planning = project.plan(acme(), { signal: stop.signal });
  await expect(planning).rejects.toMatchObject({ code: "TENANCY_CANCELLED" });
});

test("each plan tells, once, what earlier runs left unsettled in the store, however many providers share it", async () => {
  const project = await start();
  await project.apply(acme());
  const [{ record }] = (await kept(project)).tokens as [Awaited<ReturnType<typeof kept>>["tokens"][number]];
  const at = "2026-01-02T03:04:05.678Z";
  const { id, serial, access_token } = record;
  await leave(project, {
    intents: [{ id: "i", login: "csi@acme", name: "new", mint_with: "password", started_at: at }],
    failed_revocations: [{ login: "csi@acme", name: "old", id, serial, access_token, failed_at: at }],
  });
  const twice: Build = (stack) => {
    acme()(stack);
    const provider = new TenancyProvider(stack, "other", {
      alias: "other",
      owner: "acme-platform",
      maxRetries: 1,
    });
    new Account(stack, "there", { name: "there", permissions: {}, provider });
  };
  const { warnings } = await project.plan(twice);
  expect([...codes(warnings)].sort()).toEqual(["TENANCY_OPEN_INTENT", "TENANCY_UNREVOKED_TOKEN"]);
});

test("a plan needs an owner", async () => {
  const project = await start();
  const [finding] = await findings(project.plan(project.synthesize(tenant, {})));
  expect(finding).toMatchObject({ summary: expect.stringContaining("no owner") as string });
});

test("a long wait for a busy service is told once, and a short one is not", async () => {
  const project = await start();
  const told: string[] = [];
  const onProgress = (message: string) => void told.push(message);
  project.service.fail({ status: 503, retryAfter: 0, path: "/api/account" });
  await project.plan(tenant, { onProgress });
  expect(told.filter((message) => message.includes("trying again"))).toEqual([]);
  project.service.fail({ status: 503, times: 2, retryAfter: 1, path: /^\/api\/(account|user-profile)/ });
  await project.plan(tenant, { onProgress });
  expect(told.filter((message) => message.includes("trying again"))).toHaveLength(1);
  expect(told).toContain(`reading ${project.service.baseUrl}`);
});
