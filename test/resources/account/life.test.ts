/** An account from its creation to its deletion: covers src/resources/account, src/resources/record and src/service/created-in-run.ts. */
import { resource as account } from "../../../src/resources/account";
import { isWhollyKnown, type ObjectValue } from "../../../src/lib/values";
import { connected } from "../../support/connections";
import { created, deleted, refreshed, refusal, updated, textIn } from "../../support/life";

const CONFIG: ObjectValue = {
  name: "globex",
  primary_contact: { first_name: "Jo", phone: "+1 415 555 4567", email: "jo@globex.example" },
  limits_vss_num: 20,
  provisioning_tags_include: ["ssd"],
  permissions: { "vss.manage_snapshots": true },
  access_web: false,
  access_api: true,
  level: 3,
  password_wo: "correct horse",
  password_wo_version: 1,
};

const OPEN = { ...CONFIG, deletion_protection: false };

test("a created account has what was declared, and plans clean", async () => {
  const { simulator, connection } = await connected();
  const { state, findings } = await created(account, connection, CONFIG);
  expect(findings).toEqual([]);
  expect(isWhollyKnown(state)).toBe(true);
  expect(state).toMatchObject({
    name: "globex",
    limits_vss_num: 20,
    limits_size_reserve_total: null,
    password_wo: null,
    password_wo_version: 1,
    level: 3,
  });
  expect(account.propose(CONFIG, state, { asOf: undefined }).action).toBe("none");
  const later = await refreshed(account, connection, state);
  expect(account.propose(CONFIG, later!, { asOf: undefined }).action).toBe("none");
  const profile = simulator.records.profile("globex");
  expect(profile.permissions.vss.rights).toMatchObject({ manage_snapshots: true, remove_vss: false });
});

test("a plan of the live records is the plan of the state", async () => {
  const { connection, anew } = await connected({ contacts: "full" });
  const { state } = await created(account, connection, CONFIG);
  const { inventory } = account;
  const { directory } = anew();
  const lookup = inventory.locate(CONFIG, await directory.snapshot());
  if (lookup.kind !== "live") throw new Error(lookup.kind);
  expect(inventory.stateOf(lookup.records, state)).toEqual(state);
});

test("an update sends just what changes, to the record that has it", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  simulator.clearRequests();
  const config = { ...CONFIG, limits_vss_num: 30, level: 4, host: "storage.example" };
  const outcome = await updated(account, connection, state, config);
  expect(outcome.findings).toEqual([]);
  expect(simulator.requests.filter(({ method }) => method === "PATCH")).toMatchObject([
    {
      path: `/api/account/${textIn(state, "id")}`,
      body: { limits: { vss_num: 30 }, host: "storage.example" },
    },
    { path: `/api/user-profile/${textIn(state, "admin_profile_id")}`, body: { level: 4 } },
  ]);
  expect(outcome.state).toMatchObject({ limits_vss_num: 30, limits_size_reserve_total: null, level: 4 });
  expect(account.propose(config, outcome.state, { asOf: undefined }).action).toBe("none");
});

test("what only the client knows is recorded without a request", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  simulator.clearRequests();
  const outcome = await updated(account, connection, state, OPEN);
  expect(outcome.state["deletion_protection"]).toBe(false);
  expect(simulator.requests).toEqual([]);
});

test("a new version sends the password to the account, with the host, and longer than a profile takes it", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  const password = "battery staple ".repeat(5);
  const change = { password_wo: password, password_wo_version: 2, host: "storage.example" };
  await updated(account, connection, state, { ...CONFIG, ...change });
  expect(simulator.requests.filter(({ method }) => method === "PATCH")).toMatchObject([
    { path: `/api/account/${textIn(state, "id")}`, body: { password, host: "storage.example" } },
  ]);
  const login = { username: "globex", password };
  expect(await connection.client.logIn(login)).toBeDefined();
});

test("a password under the same version is not sent again", async () => {
  const { connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  const config = { ...CONFIG, password_wo: "battery staple" };
  expect(account.propose(config, state, { asOf: undefined }).action).toBe("none");
});

test("a record that somebody changed since the plan is not written to", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  const { seq } = simulator.records.account("globex");
  simulator.records.patchAccount("globex", { limits: { vss_num: 1 } });
  const config = { ...CONFIG, limits_vss_num: 30 };
  const request = updated(account, connection, state, config, { expected: { seq } });
  expect(await refusal(request)).toMatchObject([{ code: "TENANCY_PLAN_OUTDATED" }]);
  expect(simulator.records.account("globex").limits.vss_num).toBe(1);
});

test("a primary user profile that somebody changed since the plan is not written to, and is read only for that", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  const { seq: partSeq } = simulator.records.profile("globex");
  simulator.records.patchProfile("globex", { level: 1 });
  simulator.clearRequests();
  const apply = (config: ObjectValue) =>
    updated(account, connection, state, { ...CONFIG, ...config }, { expected: { partSeq } });
  expect(await refusal(apply({ limits_vss_num: 30, level: 4 }))).toMatchObject([
    { code: "TENANCY_PLAN_OUTDATED" },
  ]);
  expect(simulator.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  expect((await apply({ limits_vss_num: 30 })).findings).toEqual([]);
  expect(simulator.requests.slice(2).map(({ method }) => method)).toEqual(["GET", "PATCH"]);
  expect(simulator.records.profile("globex").level).toBe(1);
});

test("of two declarations of one account that are carried out at once, one makes it, and the other is refused", async () => {
  const { simulator, connection } = await connected();
  const outcomes = await Promise.allSettled([
    created(account, connection, CONFIG),
    created(account, connection, CONFIG),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "TENANCY_ALREADY_LIVE" } });
  expect(simulator.records.accounts).toHaveLength(2);
});

test("of two declarations of one account at two providers of one run, one makes it, and the other is refused", async () => {
  const { simulator, connection, anew } = await connected();
  const other = anew({ made: connection.made });
  const outcomes = await Promise.allSettled([
    created(account, connection, CONFIG),
    created(account, other, CONFIG),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(outcomes[1]).toMatchObject({ reason: { code: "TENANCY_ALREADY_LIVE" } });
  expect(simulator.records.accounts).toHaveLength(2);
});

test("an account whose create failed half-way is taken by the next declaration of it, at any provider of the run, and by no later run", async () => {
  const { simulator, connection, anew } = await connected();
  const config = { ...CONFIG, uuid: "0b8e7d2c-4c1b-4f5e-9d64-0a2b3c4d5e6f" };
  const other = anew({ made: connection.made });
  const later = anew();
  simulator.fail({ method: "POST", path: "/api/account", when: "after", status: 503, times: 9 });
  simulator.fail({ method: "GET", path: "/api/account", skip: 1, status: 403, times: 1 });
  expect(await refusal(created(account, connection, config))).toMatchObject([
    { code: "TENANCY_ANSWER_LOST" },
  ]);
  expect(simulator.records.accounts).toHaveLength(2);
  expect(await refusal(created(account, later, config))).toMatchObject([{ code: "TENANCY_UNMANAGED" }]);
  expect((await created(account, other, config)).state["id"]).toBe(simulator.records.account("globex").id);
});

test("an account whose create is answered with a failure while the run is stopped is looked for all the same", async () => {
  const stop = new AbortController();
  const { simulator, connection } = await connected({}, { client: { signal: stop.signal } });
  simulator.fail({
    method: "POST",
    path: "/api/account",
    when: "after",
    status: 500,
    where: () => (stop.abort(), true),
  });
  const { state } = await created(account, connection, CONFIG);
  expect(stop.signal.aborted).toBe(true);
  expect(state["id"]).toBe(simulator.records.account("globex").id);
});

test("an account is protected from deletion unless that was lifted before", async () => {
  const { connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  const findings = await account.mayDelete!(connection, { prior: state });
  expect(findings).toMatchObject([{ severity: "error", code: "TENANCY_ACCOUNT_DELETION" }]);
  expect(await refusal(deleted(account, connection, state))).toMatchObject([
    { code: "TENANCY_ACCOUNT_DELETION" },
  ]);
});

test("an account that holds storage is not deleted", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, OPEN);
  simulator.records.setUsage("globex", { vss_num: 2 });
  expect(await account.mayDelete!(connection, { prior: state })).toMatchObject([
    { code: "TENANCY_ACCOUNT_NOT_EMPTY", summary: 'account "globex" is not empty: vss_num is 2' },
  ]);
  expect(await refusal(deleted(account, connection, state))).toMatchObject([
    { code: "TENANCY_ACCOUNT_NOT_EMPTY" },
  ]);
  await deleted(account, connection, state, { allowNonempty: true });
  expect(() => simulator.records.account("globex")).toThrow();
});

test("an account is not deleted while a user is in it", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, OPEN);
  simulator.records.createProfile("globex", { username: "guest" });
  connection.directory.invalidate();
  // The same plan may delete the user first.
  await expect(account.mayDelete!(connection, { prior: state })).resolves.toEqual([]);
  expect(await refusal(deleted(account, connection, state))).toMatchObject([
    {
      code: "TENANCY_ACCOUNT_NOT_EMPTY",
      summary: 'account "globex" is not empty: the user guest@globex would be deleted with it',
    },
  ]);
});

test("deleting what is gone already is a success", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, OPEN);
  simulator.records.deleteAccount("globex");
  await expect(deleted(account, connection, state)).resolves.toEqual([]);
});

test("an account that the caller may not see is not taken for deleted", async () => {
  const { simulator, connection, anew } = await connected();
  const { state } = await created(account, connection, OPEN);
  await created(account, connection, { name: "initech", password_wo: "password", permissions: {} });
  const initech = anew({ username: "initech", password: "password" });
  expect(await refusal(deleted(account, initech, state))).toMatchObject([{ code: "TENANCY_NOT_VERIFIED" }]);
  expect(simulator.records.account("globex").id).toBe(state["id"]);
});

test.each([1, 2])(
  "an account that a lagging service does not know at first is deleted, or stays and is not forgotten (%d answers)",
  async (times) => {
    const { simulator, connection } = await connected();
    const { state } = await created(account, connection, OPEN);
    simulator.fail({ method: "GET", path: `/api/account/${textIn(state, "id")}`, status: 404, times });
    const findings =
      times === 1 ? deleted(account, connection, state) : refusal(deleted(account, connection, state));
    expect(await findings).toMatchObject(times === 1 ? [] : [{ code: "TENANCY_NOT_VERIFIED" }]);
    expect(simulator.records.accounts.map(({ name }) => name).includes("globex")).toBe(times === 2);
  },
);

test("an account that was deleted outside is found to be gone", async () => {
  const { simulator, connection } = await connected();
  const { state } = await created(account, connection, CONFIG);
  simulator.records.deleteAccount("globex");
  expect(await refreshed(account, connection, state)).toBeUndefined();
});

test("an account that the caller may not see is not taken for gone", async () => {
  const { connection, anew } = await connected();
  const { state } = await created(account, connection, CONFIG);
  await created(account, connection, { name: "initech", password_wo: "password", permissions: {} });
  const initech = anew({ username: "initech", password: "password" });
  expect(await refusal(account.read(initech, state))).toMatchObject([{ code: "TENANCY_NOT_VERIFIED" }]);
});

test("a refused value is told at its attribute", async () => {
  const { connection } = await connected();
  const config = { name: "globex", limits_vss_num: "many", password_wo: "p" };
  const findings = await refusal(created(account, connection, config));
  expect(findings.map(({ attribute, code }) => [code, attribute])).toEqual([
    ["TENANCY_API_VALIDATION", ["limits_vss_num"]],
    ["TENANCY_API_VALIDATION", ["password_wo"]],
  ]);
});
