/** Which services a run talks to, and with what credentials: covers src/service/connection.ts and src/engine/survey.ts, besides its own source. */
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { Account, Permissions, TenancyProvider, Tenant } from "tenancy";
import { doctor } from "../../src/engine/doctor";
import { outputs, planRotation, type SnapshotOptions, takeSnapshot } from "../../src/engine";
import { openLive } from "../../src/engine/live";
import type { PlanOptions } from "../../src/engine/options";
import { Run } from "../../src/engine/run";
import { revokeToken } from "../../src/engine/tokens/revoke";
import type { TokenEntry } from "../../src/state";
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
    await project.apply(source, { initState: true });
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
    const { requests } = await project.apply(tenant, { initState: true, environment });
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

  const aliases =
    (more: object): Build =>
    (stack) => {
      new Account(stack, "here", { name: "here", permissions: {} });
      const provider = new TenancyProvider(stack, "other", { alias: "other", ...more });
      new Account(stack, "there", { name: "there", permissions: {}, provider });
    };

  test("is shared by providers that differ in the alias alone, and what one makes the other sees", async () => {
    const project = await start();
    const { plan } = await project.apply(aliases({}));
    expect(plan.targets.map(({ provider }) => provider).sort()).toEqual(["tenancy", "tenancy.other"]);
    expect(logIns(project)).toBe(1);
    expect(actions(await project.plan(aliases({})))).toEqual([]);
  });

  test("is not shared by providers that differ in anything else", async () => {
    const project = await start();
    await project.apply(aliases({ retryTimeout: "1ms" }));
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

test("each plan tells, once, what earlier runs left unsettled in the state", async () => {
  const project = await start();
  await project.apply(acme());
  const [{ record }] = (await kept(project)).tokens as [Awaited<ReturnType<typeof kept>>["tokens"][number]];
  const at = "2026-01-02T03:04:05.678Z";
  const { id, serial, access_token } = record;
  await leave(project, {
    intents: [{ id: "i", login: "csi@acme", name: "new", login_with: "password", started_at: at }],
    failed_revocations: [{ login: "csi@acme", name: "old", id, serial, access_token, failed_at: at }],
  });
  const { warnings } = await project.plan(acme());
  expect([...codes(warnings)].sort()).toEqual(["TENANCY_NOT_REVOKED", "TENANCY_OPEN_INTENT"]);
});

test("a long wait for a busy service is told once, and a short one is not", async () => {
  const project = await start();
  const messages: string[] = [];
  const waits: (readonly [string, number])[] = [];
  const listening: PlanOptions = {
    onProgress: (message) => void messages.push(message),
    onWait: (...wait) => void waits.push(wait),
  };
  project.service.fail({ status: 503, retryAfter: 0, path: "/api/account" });
  await project.plan(tenant, listening);
  expect(waits).toEqual([]);
  project.service.fail({ status: 503, times: 2, retryAfter: 1, path: /^\/api\/(account|user-profile)/ });
  await project.plan(tenant, listening);
  expect(waits).toEqual([
    [expect.stringMatching(/^503 from GET \/api\/(account|user-profile), attempt 1, next in 1 s$/), 1000],
  ]);
  expect(messages).toContain(`reading ${project.service.baseUrl}`);
});

async function snapshotOf(project: Project, options: SnapshotOptions = {}): Promise<string> {
  const file = join(project.folder, "live.json");
  await writeFile(file, await takeSnapshot([project.synthesize(tenant)], project.options(options)));
  return file;
}

describe("a run that reads a snapshot", () => {
  const opened = async (project: Project, config: object = {}, options: SnapshotOptions = {}) => {
    const file = await snapshotOf(project, options);
    const run = new Run(project.options({ fromSnapshot: { file } }), "prod");
    return { file, run, target: await run.open("tenancy", { ...config }) };
  };

  test("asks no service, and has no state", async () => {
    const project = await start();
    await project.apply(acme());
    const file = await snapshotOf(project);
    const sent = project.service.requests.length;
    expect(actions(await project.plan(acme(), { fromSnapshot: { file } }))).toEqual([]);
    expect(project.service.requests).toHaveLength(sent);
    const run = new Run({ fromSnapshot: { file } }, "prod");
    expect(() => run.state).toThrow(TypeError);
    expect(run.stateDescription).toBe(`of the snapshot ${file}`);
    expect(new Run({ projectFolder: project.folder }, "prod").stateDescription).toContain(project.folder);
  });

  test("reads it once for all stacks of the app, and says of an unreadable one so where a service is opened", async () => {
    const project = await start();
    const { file, run, target } = await opened(project);
    const options = project.options({ fromSnapshot: { file } });
    expect((await openLive([], options)).takenAt).toBe(target.takenAt);
    await rm(file);
    expect((await new Run(options, "prod", run).open("tenancy", {})).takenAt).toBe(target.takenAt);
    expect(codes(await findings(new Run(options, "prod").open("tenancy", {})))).toEqual([
      "TENANCY_FILE_UNUSABLE",
    ]);
  });

  test("shows what accounts use where that was taken", async () => {
    const project = await start();
    project.service.records.createAccount({ name: "acme" });
    const { target } = await opened(project);
    expect(target).not.toHaveProperty("usage");
    const other = await opened(project, {}, { usage: true });
    expect(Object.keys(other.target.usage ?? {})).toContain(project.service.records.account("acme").id);
  });
});

test("stacks of one app share the state and the connections of the run", () => {
  const run = new Run({ projectFolder: "/project" }, "prod");
  const other = new Run({ projectFolder: "/project" }, "prod", run);
  expect(other.state).toBe(run.state);
  expect(other.services).toBe(run.services);
  expect(new Run({ projectFolder: "/project" }, "prod").state).not.toBe(run.state);
});

test("the tokens of the state are tried only where that is asked for, and the run's own one is known", async () => {
  const project = await start();
  await project.apply(acme({ csi: ["prod", "test"] }));
  const { tokens } = await kept(project);
  const [one, other] = tokens.map(({ record }) => record) as [TokenEntry["record"], TokenEntry["record"]];
  project.service.records.revokeToken(other.serial);
  const open = async (options: PlanOptions) => {
    const run = new Run(project.options(options), "prod");
    const target = await run.open("tenancy", {});
    await run.close();
    return target;
  };
  const trusting = await open({});
  expect([trusting.ownToken, trusting.refused]).toEqual([undefined, new Map()]);
  expect((await open({ verifyTokens: true })).refused).toEqual(new Map([[other.serial, []]]));
  const { TENANCY_BASE_URL: url } = project.environment;
  const environment = { ...withoutLogIn, TENANCY_BASE_URL: url, TENANCY_TOKEN: one.access_token ?? "" };
  expect((await open({ environment })).ownToken).toBe(one.serial);
});

const withoutLogIn = { TENANCY_USERNAME: "", TENANCY_PASSWORD: "" };

test.each<readonly [string, object, PlanOptions]>([
  ["for the run", {}, { parallelism: 1 }],
  ["for the run, whatever its provider has", { maxConcurrency: 5 }, { parallelism: 1 }],
  ["for its provider", { maxConcurrency: 1 }, {}],
])("requests are sent one after the other where that is set %s", async (_who, provider, options) => {
  const project = await start();
  let together = 0;
  let most = 0;
  project.service.fail({
    method: "GET",
    times: 100,
    delay: 30,
    where: () => ((most = Math.max(most, ++together)), true),
    alter: (body) => (together--, body),
  });
  await project.plan(project.synthesize(tenant, { owner: "acme-platform", ...provider }), options);
  expect([together, most]).toEqual([0, 1]);
});

test("what one connection of a run makes, its others to the same service know of, and no other service", async () => {
  const project = await start();
  const { baseUrl, username, password } = (await start()).service;
  const run = new Run(project.options(), "prod");
  const owner = "acme-platform";
  await run.open("tenancy", { owner });
  await run.open("tenancy.other", { owner, retry_timeout: "1ms" });
  await run.open("tenancy.there", { owner, base_url: baseUrl, username, password });
  const [one, other, there] = [...run.opened.values()].map(({ connection }) => connection);
  expect(other?.client).not.toBe(one?.client);
  expect(other?.made).toBe(one?.made);
  expect(there?.made).not.toBe(one?.made);
  await run.close();
});

describe("a run that is stopped or ends", () => {
  const sockets: Socket[] = [];
  const servers: Server[] = [];
  afterEach(() => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    servers.splice(0).forEach((server) => server.close());
  });

  /** Another address of the service, which knows the connections that are made to it. */
  async function watched({ service }: Project) {
    const seen: Socket[] = [];
    const server = createServer((socket) => {
      const further = connect(Number(new URL(service.baseUrl).port), "127.0.0.1");
      seen.push(socket);
      for (const end of [socket, further]) sockets.push(end.on("error", () => undefined));
      socket.pipe(further).pipe(socket);
    });
    servers.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  test("ends its requests, but not where it writes, until all is noted; then it closes its connections", async () => {
    const project = await start();
    const { seen, url } = await watched(project);
    const stop = new AbortController();
    const run = new Run(
      project.options({ signal: stop.signal, environment: { TENANCY_BASE_URL: url } }),
      "platform",
    );
    await run.open("tenancy", {});
    const list = () => [...run.opened.values()][0]!.connection.client.accounts.list();
    run.services.letRequestsEnd();
    stop.abort();
    expect(await list()).toHaveLength(1);
    const closed = seen.map((socket) => once(socket, "close"));
    await run.close();
    await Promise.all(closed);
    expect(seen).not.toEqual([]);
    await expect(list()).rejects.toMatchObject({ code: "TENANCY_CANCELLED" });
  });
});
