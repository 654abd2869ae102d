/** A user profile from its creation to its deletion: covers src/resources/record/kind.ts and src/resources/user-profile/description.ts. */
import { resource as account } from "../../../src/resources/account";
import { resource as userProfile } from "../../../src/resources/user-profile";
import { coalescingDirectory, type Connection } from "../../../src/service";
import { isWhollyKnown, type ObjectValue } from "../../../src/lib/values";
import { connected } from "../../support/connections";
import { created, deleted, refreshed, refusal, updated } from "../../support/life";

const JANE = {
  username: "jane",
  email: "jane@globex.example",
  sms: "4155554567",
  xref: "hr-17",
  two_factor_security_email: "jane@home.example",
  permissions: { "vss.manage_targets": true },
  password_wo: "correct horse",
  password_wo_version: 1,
};

async function globex(connection: Connection): Promise<ObjectValue> {
  const config = { name: "globex", permissions: {} };
  return (await created(account, connection, config)).state;
}

async function jane(connection: Connection, more: ObjectValue = {}) {
  const { id } = await globex(connection);
  const config: ObjectValue = { ...JANE, account_id: id!, ...more };
  return { config, ...(await created(userProfile, connection, config)) };
}

test("a created profile has what was declared, and plans clean", async () => {
  const { connection } = await connected();
  const { state, config, findings } = await jane(connection);
  expect(findings).toEqual([]);
  expect(isWhollyKnown(state)).toBe(true);
  expect(state).toMatchObject({
    login: "jane@globex",
    sms: "4155554567",
    sms_valid: false,
    password_set: true,
    two_factor_security_email: "jane@home.example",
    two_factor_otp_wo: null,
  });
  const later = await refreshed(userProfile, connection, state);
  expect(later).toEqual(state);
  expect(userProfile.propose(config, later!, { asOf: undefined }).action).toBe("none");
});

test("a profile without permissions is planned with a warning", async () => {
  const proposal = userProfile.propose({ username: "jane" }, null, { asOf: undefined });
  expect(proposal.findings).toMatchObject([{ severity: "warning", code: "TENANCY_UNDECLARED_PERMISSIONS" }]);
  const declared = userProfile.propose({ username: "jane", permissions: {} }, null, { asOf: undefined });
  expect(declared.findings).toEqual([]);
});

test("a profile that is replaced is planned with a warning of what held it back, and is declared nowhere", async () => {
  const config = { username: "jane", permissions: {} };
  const live = { ...config, login: "jim@acme", activated: true, allow_su: true, two_factor_auth: "none" };
  const replaced = (prior: object, more: object = {}) => {
    const proposal = userProfile.propose(
      { ...config, ...more },
      { ...live, username: "jim", ...prior },
      { asOf: undefined },
    );
    expect(proposal.action).toBe("replace");
    return proposal.findings;
  };
  expect(replaced({})).toEqual([]);
  expect(replaced({ activated: null, allow_su: null, two_factor_auth: null })).toEqual([]);
  expect(replaced({ vss_scope: ["*"], node_scope: null, access_web: true, level: 3 })).toEqual([]);
  const [narrow] = replaced({
    access_web: false,
    access_api: false,
    level: 3,
    vss_scope: ["v1"],
    node_scope: [],
  });
  expect(
    narrow?.detail?.match(/web access|API access|had a level|virtual storage services|of nodes/g),
  ).toHaveLength(5);
  const held = { activated: false, allow_su: false, two_factor_auth: "google" };
  const [finding, ...others] = replaced(held);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ severity: "warning", code: "TENANCY_RESTRICTIONS_LOST" });
  expect(finding?.summary).toContain('"jim@acme"');
  expect(finding?.detail).toMatch(
    /was deactivated.*was closed to administrators.*logged in with two factors/,
  );
  const [declared] = replaced(held, { allow_su: false, two_factor_auth: "google" });
  expect(declared?.detail).toBe(
    '"jim@acme" was deactivated; it is not known whether the service activates the new user.',
  );
  // What changes in place keeps it.
  const prior = { ...live, ...held };
  expect(userProfile.propose({ ...config, xref: "a" }, prior, { asOf: undefined }).findings).toEqual([]);
});

test("a masked number is not drift while its tail fits, and is when another one is behind the mask", async () => {
  const { simulator, connection } = await connected();
  const { state } = await jane(connection);
  expect((await refreshed(userProfile, connection, state))!["sms"]).toBe("4155554567");
  simulator.records.patchProfile("jane@globex", { sms: "4155550000" });
  expect((await refreshed(userProfile, connection, state))!["sms"]).toBe("******0000");
});

test("a number that is imported masked is sent, since more than its mask is not known", async () => {
  const { simulator, connection } = await connected();
  const { config } = await jane(connection);
  const { state } = await userProfile.import!(connection, "jane@globex");
  expect(state["sms"]).toBe("******4567");
  simulator.clearRequests();
  const imported = await updated(userProfile, connection, state, { ...config, password_wo_version: null });
  expect(imported.state["sms"]).toBe("4155554567");
  expect(simulator.requests.map(({ body }) => body)).toContainEqual({ sms: "4155554567" });
});

test("a version that an imported profile lacks sends the password under Terraform, and is recorded by the embedded engine", async () => {
  const { simulator, connection } = await connected();
  const { config } = await jane(connection);
  const { state } = await userProfile.import!(connection, "jane@globex");
  simulator.clearRequests();
  const known = { ...state, sms: config["sms"] ?? null };
  const recorded = await updated(userProfile, connection, known, config, { recordVersions: true });
  expect(recorded.state["password_wo_version"]).toBe(1);
  expect(simulator.requests).toEqual([]);
  await updated(userProfile, connection, known, config);
  expect(simulator.requests.map(({ method, body }) => [method, body])).toContainEqual([
    "PATCH",
    { password: "correct horse" },
  ]);
});

test("what is unset is taken away, the password too", async () => {
  const { simulator, connection } = await connected();
  const { state, config } = await jane(connection);
  const {
    email: _email,
    password_wo: _password,
    password_wo_version: _version,
    two_factor_security_email: _security,
    ...rest
  } = config;
  const bare = { ...rest, unset: ["email", "password_wo", "two_factor_security_email"] };
  simulator.clearRequests();
  const outcome = await updated(userProfile, connection, state, bare);
  expect(outcome.findings).toEqual([]);
  const [patch] = simulator.requests.filter(({ method }) => method === "PATCH");
  expect(patch?.body).toMatchObject({ email: null, password: null, two_factor: { security_email: null } });
  expect(outcome.state).toMatchObject({ email: null, password_set: false });
  expect(userProfile.propose(bare, outcome.state, { asOf: undefined }).action).toBe("none");
});

test("a password that somebody set again is taken away again", async () => {
  const { simulator, connection } = await connected();
  const { id } = await globex(connection);
  const config = { username: "csi", account_id: id!, permissions: {}, unset: ["password_wo"] };
  const { state } = await created(userProfile, connection, config);
  expect(state["password_set"]).toBe(false);
  simulator.records.patchProfile("csi@globex", { password: "secret" });
  const drifted = await refreshed(userProfile, connection, state);
  const outcome = await updated(userProfile, connection, drifted!, config);
  expect(outcome.state["password_set"]).toBe(false);
});

test("what goes along with an address is sent when the address is, and only then", async () => {
  const { simulator, connection } = await connected();
  const { state, config } = await jane(connection);
  simulator.clearRequests();
  const { state: noted } = await updated(userProfile, connection, state, { ...config, email_verify: true });
  expect(simulator.requests).toEqual([]);
  await updated(userProfile, connection, noted, { ...config, email_verify: true, email: "j@globex.example" });
  const [patch] = simulator.requests.filter(({ method }) => method === "PATCH");
  expect(patch?.body).toEqual({ email: "j@globex.example", email_verify: true });
});

test("the primary user profile is neither imported nor deleted by itself, and a user of its name is another one", async () => {
  const { connection } = await connected();
  const { id, admin_profile_id: primary } = await globex(connection);
  const config = { username: "globex", account_id: id!, permissions: {} };
  connection.directory.invalidate();
  const lookup = userProfile.inventory.locate(config, await connection.directory.snapshot(), undefined);
  expect(lookup.kind).toBe("absent");
  expect(await refusal(userProfile.import!(connection, "globex"))).toMatchObject([
    { code: "TENANCY_PRIMARY_PROFILE" },
  ]);
  const { state } = await created(userProfile, connection, {
    username: "jane",
    account_id: id!,
    permissions: {},
  });
  const prior = { ...state, id: primary!, serial: null, login: "globex", uuid: null };
  expect(await refusal(deleted(userProfile, connection, prior))).toMatchObject([
    { code: "TENANCY_PRIMARY_PROFILE" },
  ]);
});

test("a user who is live already is neither taken over nor changed", async () => {
  const { simulator, connection, anew } = await connected();
  const { id } = await globex(connection);
  simulator.records.createProfile("globex", { username: "jane" });
  const config = { ...JANE, account_id: id! };
  simulator.clearRequests();
  const [finding] = await refusal(created(userProfile, anew(), config));
  expect(finding).toMatchObject({
    code: "TENANCY_UNMANAGED",
    summary: `user profile "jane@globex" exists, and this configuration does not manage it`,
  });
  expect(simulator.requests.every(({ method, path }) => method === "GET" || path.endsWith("/token"))).toBe(
    true,
  );
});

test.each([[409], [400]] as const)(
  "a user whom the list hides is tried once, where a %s tells that the login is taken",
  async (duplicateStatus) => {
    const { simulator, connection, anew } = await connected({ duplicateStatus });
    const { config } = await jane(connection);
    simulator.fail({
      method: "GET",
      path: "/api/user-profile",
      times: 99,
      alter: (list) => (list as { login: string }[]).filter(({ login }) => login !== "jane@globex"),
    });
    simulator.clearRequests();
    const [finding] = await refusal(created(userProfile, anew(), { ...config }));
    expect(finding?.code).toBe(duplicateStatus === 409 ? "TENANCY_API_CONFLICT" : "TENANCY_API_VALIDATION");
    const posts = simulator.requests.filter(
      ({ method, path }) => method === "POST" && path === "/api/user-profile",
    );
    expect(posts).toHaveLength(1);
  },
);

test("a user whom the list hides is not taken for gone by a refresh that has read the lists", async () => {
  const { simulator, connection: embedded } = await connected();
  const directory = coalescingDirectory(embedded.client, { listers: new Map() });
  const connection = { ...embedded, directory };
  const { state } = await jane(connection);
  const alter = (list: unknown) =>
    (list as { login: string }[]).filter(({ login }) => login !== "jane@globex");
  simulator.fail({ method: "GET", path: "/api/user-profile", times: 99, alter });
  directory.invalidate();
  expect((await directory.snapshot()).profileWithLogin("jane@globex")).toBeUndefined();
  expect(await refreshed(userProfile, connection, state)).toEqual(state);
});

test("a profile that was deleted outside is found to be gone, also together with its account", async () => {
  const { simulator, connection } = await connected();
  const { state } = await jane(connection);
  simulator.records.deleteProfile("jane@globex");
  expect(await refreshed(userProfile, connection, state)).toBeUndefined();
  simulator.records.deleteAccount("globex");
  connection.directory.invalidate();
  expect(await refreshed(userProfile, connection, state)).toBeUndefined();
});

test("a name that is taken has to be imported", async () => {
  const { simulator, connection, anew } = await connected();
  const { state, config } = await jane(connection);
  expect(state["uuid"]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  simulator.records.createProfile("globex", { username: "csi" });
  const csi = { ...config, username: "csi" };
  expect(await refusal(created(userProfile, anew(), csi))).toMatchObject([{ code: "TENANCY_UNMANAGED" }]);
});

test("the same user declared twice is created once, and an error the second time", async () => {
  const { connection } = await connected();
  const { config } = await jane(connection);
  expect(await refusal(created(userProfile, connection, config))).toMatchObject([
    { code: "TENANCY_ALREADY_LIVE" },
  ]);
});
