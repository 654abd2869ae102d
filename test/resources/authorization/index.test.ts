/** What a plan says of a token's creation, and what a look at a token proves: covers src/resources/authorization/index.ts. */
import { resource as token } from "../../../src/resources/authorization";
import { UNKNOWN, type ObjectValue, type Value } from "../../../src/lib/values";
import { connected, type Connected } from "../../support/connections";
import { created, deleted, textIn, updated } from "../../support/life";

const CONFIG: ObjectValue = { login: "csi@globex", name: "ci", password_wo: "correct horse" };

/** A service with a user who has a password. */
async function withUser(...[service, options]: Parameters<typeof connected>): Promise<Connected> {
  const found = await connected(service, options);
  const { records } = found.simulator;
  records.createAccount({ name: "globex" });
  records.createProfile("globex", { username: "csi", password: "correct horse" });
  records.createProfile("globex", { username: "robot" });
  return found;
}

const accepts = async ({ connection }: Connected, state: ObjectValue) =>
  (await connection.client.callerAs({ kind: "bearer", token: textIn(state, "access_token") })).status;

describe("the rules between a token's attributes", () => {
  test.each<readonly [string, ObjectValue]>([
    ["is the provider's own user's", { name: "ci" }],
    ["is created with a password of its own", CONFIG],
    ["is created in a way that is not known yet", { name: "ci", login_with: UNKNOWN }],
    ["has a password with a version", { ...CONFIG, password_wo_version: 2 }],
    ["has a password with a version, and the password is not known yet", passwordless(UNKNOWN, 2)],
  ])("say nothing where the token %s", (_what, config) => {
    expect(token.check(config)).toEqual([]);
  });

  test("ask for a login where it is created with temporary_password", () => {
    expect(token.check({ name: "ci", login: null, login_with: "temporary_password" })).toMatchObject([
      {
        severity: "error",
        code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE",
        attribute: ["login"],
        summary: `a token cannot be created: "temporary_password" needs a login`,
      },
    ]);
  });

  test("warn of a password's version without a password", () => {
    expect(token.check(passwordless(null, 2))).toMatchObject([
      {
        severity: "warning",
        code: "TENANCY_SECRET_NOT_SENT",
        attribute: ["password_wo_version"],
      },
    ]);
  });
});

function passwordless(password: Value, version: number): ObjectValue {
  return { ...CONFIG, password_wo: password, password_wo_version: version };
}

describe("a plan foresees", () => {
  test.each<readonly [string, ObjectValue]>([
    ["whose login is the run's own", { name: "ci", login: "system" }],
    ["without a login", { name: "ci" }],
    ["with a password", CONFIG],
    ["with a password that is known only at apply", { ...CONFIG, password_wo: UNKNOWN }],
    ["with a login that is known only at apply", { name: "ci", login: UNKNOWN }],
    ["of a machine user", { name: "ci", login: "robot@globex", login_with: "temporary_password" }],
  ])("nothing that keeps a token %s from being created", async (_what, config) => {
    const { connection } = await withUser();
    expect(await token.checkBeforeCreate!(connection, config)).toEqual([]);
  });

  test("that another user's token needs that user's password", async () => {
    const { connection } = await withUser();
    expect(await token.checkBeforeCreate!(connection, { ...CONFIG, password_wo: null })).toMatchObject([
      {
        severity: "error",
        code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE",
        attribute: ["password_wo"],
        summary: 'a token for "csi@globex" cannot be created: its password is not given',
      },
    ]);
  });

  test("that a run which works with a token has no user whose password could create one", async () => {
    const { simulator, anew } = await withUser();
    const connection = anew({ token: simulator.records.createToken("system").access_token });
    expect(await token.checkBeforeCreate!(connection, { name: "ci" })).toMatchObject([
      {
        code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE",
        attribute: ["login"],
        summary: "a token cannot be created: its password is not given",
      },
    ]);
  });
});

describe("a look at a token", () => {
  const lookAt = async ({ connection }: Connected, state: ObjectValue) => {
    const outcome = await token.read(connection, state);
    expect(outcome?.state).toEqual(state);
    return outcome?.findings.map(({ summary }) => summary);
  };
  const unproven = (state: ObjectValue, why: string) => [
    `cannot check whether the token ${textIn(state, "serial")} is still valid: ${why}`,
  ];

  test("finds nothing to tell of a token that the service accepts", async () => {
    const service = await withUser();
    const { state } = await created(token, service.connection, CONFIG);
    expect(await lookAt(service, state)).toEqual([]);
  });

  test("proves nothing where its secret is not known", async () => {
    const service = await withUser();
    const { state } = await created(token, service.connection, CONFIG);
    const unknown = { ...state, access_token: null };
    expect(await lookAt(service, unknown)).toEqual(unproven(state, "its secret is not known"));
  });

  test("proves nothing where the service denies it access, or fails", async () => {
    const service = await withUser();
    const { state } = await created(token, service.connection, CONFIG);
    const path = "/api/status/authorization";
    service.simulator.fail({ path, status: 403 });
    const denied = "the service knows it, and denies it access (403)";
    expect(await lookAt(service, state)).toEqual(unproven(state, denied));
    service.simulator.fail({ path, status: 500, times: 9 });
    const [failed] = (await lookAt(service, state)) ?? [];
    expect(failed).toMatch(/ is still valid: .*500/);
  });

  test.each([401, 403] as const)(
    "leaves the token that it replaced while their user is suspended, which the service answers with %s",
    async (suspendedStatus) => {
      const service = await withUser({ suspendedStatus });
      const { state: first } = await created(token, service.connection, CONFIG);
      const config = { ...CONFIG, keepers: { year: "2026" } };
      const { state } = await updated(token, service.connection, first, config);
      service.simulator.records.revokeToken(textIn(state, "serial"));
      const left = (await token.read(service.connection, state))?.state ?? {};
      service.simulator.records.patchProfile("csi@globex", { activated: false });
      expect(await lookAt(service, left)).toEqual([]);
      service.simulator.records.patchProfile("csi@globex", { activated: true });
      expect(await accepts(service, first)).toBe(200);
    },
  );
});

test("a single token that cannot be revoked is told by its own error", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  service.simulator.fail({ method: "DELETE", path: /authorization/, status: 403 });
  await expect(deleted(token, service.connection, state)).rejects.toMatchObject({
    code: "TENANCY_API_FORBIDDEN",
  });
});

test("only a token that has replaced others has a time that runs", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const { state: rotated } = await updated(token, service.connection, state, {
    ...CONFIG,
    keepers: { a: "1" },
  });
  expect([state, rotated].map((one) => token.ages?.(one))).toEqual([false, true]);
});

describe("a write whose answer nobody received takes back", () => {
  test("the token that it created, anew or in a rotation", async () => {
    const service = await withUser();
    const { connection } = service;
    const { state: first } = await created(token, connection, CONFIG);
    const { state: second } = await updated(token, connection, first, { ...CONFIG, keepers: { a: "1" } });
    await token.undoCreate!(connection, first, second);
    expect(await accepts(service, second)).toBe(401);
    expect(await accepts(service, first)).toBe(200);
    await token.undoCreate!(connection, null, first);
    expect(await accepts(service, first)).toBe(401);
  });

  test("no token where it created none", async () => {
    const service = await withUser();
    const { state: first } = await created(token, service.connection, CONFIG);
    const versioned = { ...CONFIG, password_wo_version: 2 };
    const { state: second } = await updated(token, service.connection, first, versioned);
    await token.undoCreate!(service.connection, first, second);
    expect(await accepts(service, second)).toBe(200);
  });
});
