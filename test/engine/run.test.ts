/** Which services a run talks to, and with what credentials: covers src/service/connection.ts, besides its own source. */
import { Account, Permissions, TenancyProvider, Tenant } from "cdktf-provider-tenancy";
import { doctor } from "../../src/engine/doctor";
import { outputs, planRotation } from "../../src/engine";
import { revokeToken } from "../../src/engine/tokens/revoke";
import { actions, codes, findings, projects, writes, type Build } from "../support/projects";

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
