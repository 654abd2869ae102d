/** Services that answer strangely: covers src/resources/record/create.ts, update.ts and outcome.ts. */
import { resource as account } from "../../../src/resources/account";
import { resource as token } from "../../../src/resources/authorization";
import type { Connection } from "../../../src/service";
import { resource as userProfile } from "../../../src/resources/user-profile";
import type { Simulator, SimulatorOptions } from "../../../src/lib/simulator";
import type { ObjectValue } from "../../../src/lib/values";
import { alteredService, type Alter } from "../../support/altered-service";
import { connected, connectionTo, type ConnectionOptions } from "../../support/connections";
import { created, deleted, refusal, updated } from "../../support/life";

interface Odd {
  readonly simulator: Simulator;
  readonly connection: Connection;
}

async function oddService(
  alter: Alter,
  service: SimulatorOptions = {},
  options: ConnectionOptions = {},
): Promise<Odd> {
  const { simulator } = await connected(service);
  const url = await alteredService(simulator.baseUrl, alter);
  return { simulator, connection: connectionTo(url, options) };
}

const CONFIG: ObjectValue = { name: "globex", limits_vss_num: 20, permissions: {}, level: 1 };
const recordOf = (body: unknown) => body as Record<string, unknown>;
const isAccountPost = (method: string, path: string) => method === "POST" && path === "/api/account";

test("an object that is created under another uuid is an error that names its id, and its state is kept", async () => {
  const { connection } = await oddService(({ method, path }, answer) =>
    isAccountPost(method, path)
      ? { ...answer, body: withUuid(answer.body, "00000000-0000-4000-8000-000000000000") }
      : answer,
  );
  const { state, findings } = await created(account, connection, CONFIG);
  expect(findings).toMatchObject([{ severity: "error", code: "TENANCY_UUID_IGNORED" }]);
  expect(findings[0]?.summary).toContain(String(state["id"] as string));
});

function withUuid(body: unknown, uuid: string): unknown {
  return { ...recordOf(body), uuid };
}

test("a member that the service ignores at create is a warning, and the state holds what was asked", async () => {
  const { connection } = await oddService(({ path }, answer) =>
    path.startsWith("/api/account") ? withVssNum(answer, 5) : answer,
  );
  const { state, findings } = await created(account, connection, CONFIG);
  expect(findings).toMatchObject([
    {
      severity: "warning",
      code: "TENANCY_NOT_TAKEN",
      attribute: ["limits_vss_num"],
      summary: 'the service did not take this value for account "globex": it shows 5',
    },
  ]);
  expect(state).toMatchObject({ limits_vss_num: 20, limits_size_reserve_total: null });
});

test("a member that the service ignores at an update is an error, and the state holds what is live", async () => {
  let isOdd = false;
  const { connection } = await oddService(({ path }, answer) =>
    isOdd && path.startsWith("/api/account/") ? withVssNum(answer, 5) : answer,
  );
  const { state } = await created(account, connection, CONFIG);
  isOdd = true;
  const config = { ...CONFIG, limits_vss_num: 30, limits_size_reserve_total: 7 };
  const outcome = await updated(account, connection, state, config);
  expect(outcome.findings).toMatchObject([{ severity: "error", attribute: ["limits_vss_num"] }]);
  expect(outcome.state).toMatchObject({ limits_vss_num: 5, limits_size_reserve_total: 7 });
});

function withVssNum(answer: { status: number; body: unknown }, vss_num: number) {
  const record = recordOf(answer.body);
  if (answer.status >= 300 || record?.["limits"] === undefined) return answer;
  return { ...answer, body: { ...record, limits: { ...recordOf(record["limits"]), vss_num } } };
}

test("a PATCH without an answer is read back, and a service that lags is given a moment", async () => {
  let stale: unknown;
  const { connection } = await oddService(({ method, path }, answer) => {
    if (method === "PATCH") return { status: 204, body: undefined };
    if (method !== "GET" || !path.startsWith("/api/user-profile/")) return answer;
    const shown = stale ?? answer.body;
    stale = undefined;
    return { ...answer, body: shown };
  });
  const { state: tenant } = await created(account, connection, CONFIG);
  const config = { username: "jane", account_id: tenant["id"]!, permissions: {}, xref: "a" };
  const { state } = await created(userProfile, connection, config);
  stale = await connection.client.profiles.get(state["id"] as string);
  const request = updated(userProfile, connection, state, { ...config, xref: "b" }, { expected: "compared" });
  expect(await request).toMatchObject({ findings: [], state: { xref: "b" } });
});

test("a create whose answer is lost is found again, and not repeated", async () => {
  let isLost = true;
  const { simulator, connection } = await oddService(({ method, path }, answer) => {
    if (!isLost || !isAccountPost(method, path)) return answer;
    isLost = false;
    return "lost";
  });
  const { state, findings } = await created(account, connection, CONFIG);
  expect(findings).toEqual([]);
  expect(state["id"]).toBe(simulator.records.account("globex").id);
  expect(simulator.requests.filter(({ method, path }) => isAccountPost(method, path))).toHaveLength(1);
});

test("from lists that are not whole nothing is created", async () => {
  const { simulator, connection } = await oddService(({ path }, answer) =>
    path === "/api/user-profile" ? { ...answer, body: [] } : answer,
  );
  expect(await refusal(created(account, connection, CONFIG))).toMatchObject([
    { code: "TENANCY_NOT_VERIFIED" },
  ]);
  expect(simulator.records.accounts).toHaveLength(1);
});

test("where the caller's rights cannot be known, creates go ahead, and absence proves nothing else", async () => {
  const { simulator, anew } = await connected({ describeCaller: { permissions: false, user: false } });
  const { access_token } = simulator.records.createToken("system");
  const connection = anew({ token: access_token });
  const { state } = await created(account, connection, CONFIG);
  simulator.records.deleteAccount("globex");
  expect(await refusal(account.read(connection, state))).toMatchObject([{ code: "TENANCY_NOT_VERIFIED" }]);
});

test("an account whose primary user profile could not be changed is half done, and says so", async () => {
  let isOdd = false;
  const { connection } = await oddService(({ method, path }, answer) =>
    isOdd && method === "PATCH" && path.startsWith("/api/user-profile/")
      ? {
          status: 400,
          body: { status: 400, errors: [{ type: "range", field: "/level", msg: "is too high" }] },
        }
      : answer,
  );
  const { state } = await created(account, connection, CONFIG);
  isOdd = true;
  const config = { ...CONFIG, limits_vss_num: 30, level: 9 };
  const outcome = await updated(account, connection, state, config);
  expect(outcome.findings).toMatchObject([
    { severity: "error", code: "TENANCY_API_VALIDATION", attribute: ["level"] },
  ]);
  expect(outcome.state).toMatchObject({ limits_vss_num: 30, level: 1 });
});

test("members that answers leave out are neither missed nor forgotten", async () => {
  const { connection } = await oddService(({ path }, answer) =>
    path.startsWith("/api/account") && answer.status < 300 ? withoutLimits(answer) : answer,
  );
  const { state, findings } = await created(account, connection, CONFIG);
  expect(findings).toEqual([]);
  expect(state).toMatchObject({ limits_vss_num: 20, limits_size_reserve_total: null });
  expect((await account.read(connection, state))?.state).toEqual(state);
});

function withoutLimits(answer: { status: number; body: unknown }) {
  const strip = (record: unknown) => {
    const { limits: _limits, ...rest } = recordOf(record);
    return rest;
  };
  return {
    ...answer,
    body: Array.isArray(answer.body) ? answer.body.map(strip) : answer.body && strip(answer.body),
  };
}

test("an account that cannot be read after its create is kept with a warning", async () => {
  let isBroken = false;
  const { connection } = await oddService(({ method, path }, answer) => {
    if (isAccountPost(method, path)) isBroken = true;
    return isBroken && method === "GET" ? { status: 403, body: { status: 403 } } : answer;
  });
  const { state, findings } = await created(account, connection, CONFIG);
  expect(findings).toMatchObject([{ severity: "warning", code: "TENANCY_WRITTEN_UNREAD" }]);
  expect(state).toMatchObject({ name: "globex", id: expect.any(String) as string });
});

test("an account whose usage is not told is not deleted", async () => {
  const { simulator, connection } = await oddService(({ path }, answer) =>
    path.endsWith("/usage") ? { status: 200, body: { vss_num: 0 } } : answer,
  );
  const { state } = await created(account, connection, { ...CONFIG, deletion_protection: false });
  const [finding] = await refusal(deleted(account, connection, state));
  expect(finding?.summary).toMatch(/its usage does not show size_reserve/);
  expect(simulator.records.account("globex")).toBeDefined();
});

test("a token whose creation was answered by nobody leaves its intent open", async () => {
  const { connection } = await oddService(({ method, path }, answer) =>
    method === "POST" && path === "/api/authorization" ? "lost" : answer,
  );
  const log: string[] = [];
  const keeper = {
    intend: async () => ({
      keep: async () => void log.push("keep"),
      drop: async () => void log.push("drop"),
    }),
  };
  const config = { name: "own" };
  const { planned } = token.propose(config, null, { asOf: undefined });
  const findings = await refusal(token.create(connection, { planned, config, keeper }));
  expect(findings).toMatchObject([{ code: "TENANCY_ANSWER_LOST" }]);
  expect(log).toEqual([]);
});
