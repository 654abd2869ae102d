/** A token from creation to revocation: covers src/resources/authorization/index.ts and description.ts. */
import type { RequestEvent } from "../../../src/api/options";
import { stateUnusable } from "../../../src/problems";
import type { TokenKeeper } from "../../../src/resources";
import { resource as token } from "../../../src/resources/authorization";
import type { ObjectValue, Value } from "../../../src/lib/values";
import { connected, type Connected } from "../../support/connections";
import { created, deleted, refreshed, refusal, updated, textIn } from "../../support/life";

const CONFIG: ObjectValue = {
  login: "csi@globex",
  name: "csi-prod",
  password_wo: "correct horse",
  keepers: { cluster: "a" },
};

/** A service with a user who has a password. */
async function withUser(...[service, options]: Parameters<typeof connected>): Promise<Connected> {
  const found = await connected(service, options);
  const { records } = found.simulator;
  records.createAccount({ name: "globex" });
  records.createProfile("globex", { username: "csi", password: "correct horse", allow_su: true });
  return found;
}

/** A machine user whose password the service sets, and does not take away. */
async function withKeptPassword(): Promise<Connected> {
  const service = await withUser();
  service.simulator.records.createProfile("globex", { username: "robot" });
  service.simulator.fail({ method: "PATCH", where: takesPasswordAway, status: 403 });
  return service;
}

function takesPasswordAway({ body }: { readonly body: unknown }): boolean {
  return (body as { readonly password?: unknown }).password === null;
}

/** Cannot keep what is created. */
function keeperOfFullDisk(onKeep?: () => void): TokenKeeper {
  return {
    intend: async () => ({
      keep: async () => {
        onKeep?.();
        throw new Error("the disk is full");
      },
      drop: async () => undefined,
    }),
  };
}

const previous = (state: ObjectValue) => state["previous"] as readonly ObjectValue[];
const secretsIn = ({ simulator }: Connected) => simulator.records.authorizations.map(({ serial }) => serial);
const accepts = async ({ connection }: Connected, secret: Value | undefined) =>
  (await connection.client.callerAs({ kind: "bearer", token: secret as string })).status;

test("a created token works for its user, and plans clean", async () => {
  const service = await withUser();
  const { state, findings } = await created(token, service.connection, CONFIG);
  expect(findings).toEqual([]);
  expect(state).toMatchObject({ login: "csi@globex", name: "csi-prod", password_wo: null, previous: [] });
  expect(state["user_id"]).toBe(service.simulator.records.profile("csi@globex").id);
  expect(await accepts(service, state["access_token"])).toBe(200);
  expect(token.propose(CONFIG, state, { asOf: new Date() }).action).toBe("none");
  expect(await refreshed(token, service.connection, state)).toEqual(state);
});

test("without login and password the token is the provider's own user's", async () => {
  const service = await withUser();
  const config = { name: "own" };
  const { state } = await created(token, service.connection, config);
  expect(state["login"]).toBe("system");
  expect(token.propose(config, state, { asOf: undefined }).action).toBe("none");
});

test("a change of keepers rotates in place, and the old token stays valid for its time", async () => {
  const now = new Date("2025-03-01T00:00:00Z");
  const service = await withUser({}, { now: () => now });
  const { connection } = service;
  const { state } = await created(token, connection, CONFIG);
  const config = { ...CONFIG, keepers: { cluster: "b" } };
  const proposal = token.propose(config, state, { asOf: now });
  expect(proposal.action).toBe("update");
  const { state: rotated } = await updated(token, connection, state, config, { asOf: now });
  expect(rotated["serial"]).not.toBe(state["serial"]);
  expect(previous(rotated)).toEqual([
    {
      serial: state["serial"],
      access_token: state["access_token"],
      access_token_sealed: null,
      created_at: state["created_at"],
      retired_at: "2025-03-01T00:00:00.000Z",
    },
  ]);
  expect(await accepts(service, state["access_token"])).toBe(200);

  const soon = new Date("2025-03-07T23:59:59Z");
  expect(token.propose(config, rotated, { asOf: soon }).action).toBe("none");
  expect(token.propose(config, rotated, { asOf: undefined }).action).toBe("none");

  const later = new Date("2025-03-08T00:00:00Z");
  const { state: purged } = await updated(token, connection, rotated, config, { asOf: later });
  expect(previous(purged)).toEqual([]);
  expect(await accepts(service, state["access_token"])).toBe(401);
  expect(await accepts(service, rotated["access_token"])).toBe(200);
});

test("another password version is recorded, and creates no token", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const outcome = await updated(token, service.connection, state, { ...CONFIG, password_wo_version: 2 });
  expect(outcome.state).toEqual({ ...state, password_wo_version: 2 });
  expect(secretsIn(service)).toHaveLength(1);
});

test("another login or name replaces the token", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const proposal = token.propose({ ...CONFIG, name: "csi-test" }, state, { asOf: undefined });
  expect(proposal).toMatchObject({ action: "replace", replacedBy: [["name"]] });
});

test("deleting a token revokes it and those that it replaced", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const rotated = await updated(token, service.connection, state, { ...CONFIG, keepers: {} });
  await deleted(token, service.connection, rotated.state);
  expect(secretsIn(service)).toEqual([]);
  await deleted(token, service.connection, rotated.state);
});

test("where the service does not revoke over the API, the error says so, until the token is refused", async () => {
  const service = await withUser({ revocation: false });
  const { state } = await created(token, service.connection, CONFIG);
  expect(await refusal(deleted(token, service.connection, state))).toMatchObject([
    {
      code: "TENANCY_NOT_REVOKED",
      summary: `the service does not revoke tokens over its API, and the token ${textIn(state, "serial")} is still valid`,
    },
  ]);
  service.simulator.records.revokeToken(textIn(state, "serial"));
  await deleted(token, service.connection, state);
});

describe("a suspended user", () => {
  type Suspension = readonly [
    what: string,
    suspend: (service: Connected) => void,
    resume: (service: Connected) => void,
  ];
  const suspensions: readonly Suspension[] = [
    [
      "its user is not activated",
      ({ simulator }) => void simulator.records.patchProfile("csi@globex", { activated: false }),
      ({ simulator }) => void simulator.records.patchProfile("csi@globex", { activated: true }),
    ],
    [
      "its user has no API access",
      ({ simulator }) => void simulator.records.patchProfile("csi@globex", { access: { api: false } }),
      ({ simulator }) => void simulator.records.patchProfile("csi@globex", { access: { api: true } }),
    ],
    [
      "the account of its user is disabled",
      ({ simulator }) => void simulator.records.patchAccount("globex", { disabled: true }),
      ({ simulator }) => void simulator.records.patchAccount("globex", { disabled: false }),
    ],
  ];

  test.each(suspensions)(
    "has a token that is not taken for revoked where the service does not revoke over its API: %s",
    async (reason, suspend, resume) => {
      const service = await withUser({ revocation: false, suspendedStatus: 401 });
      const { state } = await created(token, service.connection, CONFIG);
      suspend(service);
      expect(await accepts(service, state["access_token"])).toBe(401);
      expect(await refusal(deleted(token, service.connection, state))).toMatchObject([
        {
          code: "TENANCY_NOT_REVOKED",
          summary:
            "the service does not revoke tokens over its API, and " +
            `the token ${textIn(state, "serial")} may be valid again: it is refused now, and ${reason}`,
        },
      ]);
      resume(service);
      expect(await accepts(service, state["access_token"])).toBe(200);
      service.simulator.records.revokeToken(textIn(state, "serial"));
      await deleted(token, service.connection, state);
    },
  );

  test.each([403, 404])(
    "has a token that is not taken for revoked where its deletion is answered %s",
    async (status) => {
      const service = await withUser({ suspendedStatus: 401 });
      const { state } = await created(token, service.connection, CONFIG);
      service.simulator.records.patchProfile("csi@globex", { activated: false });
      service.simulator.fail({ method: "DELETE", path: /authorization/, status });
      expect(await refusal(deleted(token, service.connection, state))).toMatchObject([
        { code: "TENANCY_NOT_REVOKED", detail: expect.stringMatching(/^It was not deleted: /) as string },
      ]);
      service.simulator.records.patchProfile("csi@globex", { activated: true });
      expect(await accepts(service, state["access_token"])).toBe(200);
    },
  );

  test("has a token that is not taken for revoked where a 404 follows an answer that was lost", async () => {
    const service = await withUser({ suspendedStatus: 401 });
    const { state } = await created(token, service.connection, CONFIG);
    service.simulator.records.patchProfile("csi@globex", { activated: false });
    service.simulator.fail({ method: "DELETE", path: /authorization/, reset: true });
    service.simulator.fail({ method: "DELETE", path: /authorization/, status: 404 });
    expect(await refusal(deleted(token, service.connection, state))).toMatchObject([
      { code: "TENANCY_NOT_REVOKED" },
    ]);
  });

  test("has a replaced token that stays in the list until it is proven to end", async () => {
    const service = await withUser({ suspendedStatus: 401 });
    const { state } = await created(token, service.connection, CONFIG);
    const config = { ...CONFIG, keepers: { cluster: "b" } };
    const { state: rotated } = await updated(token, service.connection, state, config);
    service.simulator.records.patchProfile("csi@globex", { activated: false });
    service.simulator.fail({ method: "DELETE", path: /authorization/, status: 403 });
    const shorter = { ...config, retain_previous_for: "0s" };
    const outcome = await updated(token, service.connection, rotated, shorter);
    expect(outcome.findings).toMatchObject([{ severity: "error", code: "TENANCY_NOT_REVOKED" }]);
    expect(previous(outcome.state).map(({ serial }) => serial)).toEqual([state["serial"]]);
  });

  test("has a token that is revoked all the same where the service deletes it", async () => {
    const service = await withUser({ suspendedStatus: 401 });
    const { state } = await created(token, service.connection, CONFIG);
    service.simulator.records.patchProfile("csi@globex", { activated: false });
    await deleted(token, service.connection, state);
    expect(secretsIn(service)).toEqual([]);
  });
});

test("a token whose secret is not known ends where the service deletes it, and not where the service refuses to", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const unknown = { ...state, access_token: null };
  service.simulator.fail({ method: "DELETE", path: /authorization/, status: 403 });
  expect(await refusal(deleted(token, service.connection, unknown))).toMatchObject([
    { code: "TENANCY_API_FORBIDDEN" },
  ]);
  expect(await accepts(service, state["access_token"])).toBe(200);
  await deleted(token, service.connection, unknown);
  expect(await accepts(service, state["access_token"])).toBe(401);
});

test("a token ends with its user, also where the service does not revoke over its API", async () => {
  const service = await withUser({ revocation: false });
  const { state } = await created(token, service.connection, CONFIG);
  service.simulator.records.deleteProfile("csi@globex");
  await deleted(token, service.connection, state);
});

test("a user who is not found is not taken for gone by a caller who may not see every user", async () => {
  const service = await withUser({ revocation: false, describeCaller: { permissions: false } });
  const { records } = service.simulator;
  const { state } = await created(token, service.connection, CONFIG);
  records.createProfile("globex", {
    username: "auditor",
    permissions: { user: { rights: { manage_users: false } } },
  });
  const { access_token } = records.createToken("auditor@globex");
  records.deleteProfile("csi@globex");
  const findings = await refusal(deleted(token, service.anew({ token: access_token }), state));
  expect(findings).toMatchObject([{ code: "TENANCY_NOT_REVOKED" }]);
  expect(findings[0]?.summary).toMatch(/its user is not found, which proves nothing/);
});

test("a token whose user was suspended for a moment is not taken for gone", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  service.simulator.fail({ path: "/api/status/authorization", status: 401 });
  expect(await token.read(service.connection, state)).toMatchObject({
    state,
    findings: [{ severity: "warning", code: "TENANCY_TOKEN_NOT_VERIFIED" }],
  });
});

test("a token that was revoked outside is gone; one whose user is locked out is kept with a warning", async () => {
  const service = await withUser();
  const { records } = service.simulator;
  const { state } = await created(token, service.connection, CONFIG);
  records.patchProfile("csi@globex", { access: { api: false } });
  expect(await token.read(service.connection, state)).toMatchObject({
    state,
    findings: [{ severity: "warning", code: "TENANCY_TOKEN_NOT_VERIFIED" }],
  });
  records.revokeToken(textIn(state, "serial"));
  expect((await token.read(service.connection, state))?.findings).toHaveLength(1);
  records.patchProfile("csi@globex", { access: { api: true } });
  expect(await token.read(service.connection, state)).toBeUndefined();
});

test("a replaced token has no time where the service revokes none, and gets one where it revokes after all", async () => {
  const service = await withUser();
  const { state: first } = await created(token, service.connection, CONFIG);
  const { state } = await updated(token, service.connection, first, { ...CONFIG, keepers: { year: "2025" } });
  const unrevocable = { ...service.connection, tokensRevocable: false };
  const listed = (await token.read(unrevocable, state))?.state ?? {};
  expect(previous(listed)).toMatchObject([{ serial: first["serial"], retired_at: null }]);
  const again = (await token.read(service.connection, listed))?.state ?? {};
  expect(typeof previous(again)[0]?.["retired_at"]).toBe("string");
});

describe("a rotated token that was revoked outside", () => {
  async function ended() {
    const service = await withUser();
    const { state: first } = await created(token, service.connection, CONFIG);
    const config = { ...CONFIG, keepers: { year: "2025" } };
    const { state } = await updated(token, service.connection, first, config);
    service.simulator.records.revokeToken(textIn(state, "serial"));
    const left = (await token.read(service.connection, state))?.state;
    return { service, config, first, left };
  }

  test("leaves the one that it replaced, which its successor keeps for its time", async () => {
    const { service, config, first, left = {} } = await ended();
    expect(left).toMatchObject({ serial: null, access_token: null, previous: [{ serial: first["serial"] }] });
    expect(await token.read(service.connection, left)).toEqual({ state: left, findings: [] });
    expect(token.propose(config, left, { asOf: service.connection.now() }).action).toBe("update");
    const { state } = await updated(token, service.connection, left, config);
    expect(await accepts(service, state["access_token"])).toBe(200);
    expect(previous(state).map(({ serial }) => serial)).toEqual([first["serial"]]);
    expect(await accepts(service, first["access_token"])).toBe(200);
    expect(token.propose(config, state, { asOf: service.connection.now() }).action).toBe("none");
  });

  test("is gone where the one that it replaced is", async () => {
    const { service, first, left = {} } = await ended();
    service.simulator.records.revokeToken(textIn(first, "serial"));
    expect(await token.read(service.connection, left)).toBeUndefined();
  });

  test("leaves the one that it replaced also where its user was suspended meanwhile", async () => {
    const { service, left = {} } = await ended();
    service.simulator.records.patchProfile("csi@globex", { access: { api: false } });
    expect(await token.read(service.connection, left)).toMatchObject({ state: left });
  });

  test("leaves the one that it replaced also where the secret of that one is not known", async () => {
    const { service, config, first, left = {} } = await ended();
    const unknown = { ...left, previous: previous(left).map((one) => ({ ...one, access_token: null })) };
    expect((await token.read(service.connection, unknown))?.state).toEqual(unknown);
    const atOnce = { ...config, retain_previous_for: "0s" };
    const { state } = await updated(token, service.connection, unknown, atOnce);
    expect(previous(state)).toEqual([]);
    expect(await accepts(service, first["access_token"])).toBe(401);
  });

  test("ends with the one that it replaced when it is deleted", async () => {
    const { service, first, left = {} } = await ended();
    await deleted(token, service.connection, left);
    expect(await accepts(service, first["access_token"])).toBe(401);
  });
});

test("a token is not forgotten while the run's own credential is refused", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const own = service.simulator.records.createToken("system");
  const other = service.anew({ token: own.access_token });
  service.simulator.records.revokeToken(own.serial);
  service.simulator.records.revokeToken(textIn(state, "serial"));
  const outcome = await token.read(other, state);
  expect(outcome).toMatchObject({ state, findings: [{ severity: "warning" }] });
  expect(outcome?.findings[0]?.summary).toMatch(/it is refused \(401\), and so is the run's own credential$/);
});

test("a machine user without a password gets one for the moment of the creation, and has none afterwards", async () => {
  const service = await withUser();
  service.simulator.records.createProfile("globex", { username: "robot" });
  const config = { login: "robot@globex", name: "ci", login_with: "temporary_password" };
  const [first, second] = await Promise.all([
    created(token, service.connection, config),
    created(token, service.connection, { ...config, name: "cd" }),
  ]);
  expect(await accepts(service, first.state["access_token"])).toBe(200);
  expect(await accepts(service, second.state["access_token"])).toBe(200);
  expect(service.simulator.records.profile("robot@globex").password).toBeNull();
});

test("a machine user may have a login in another normal form than the declared one", async () => {
  const service = await withUser();
  service.simulator.records.createProfile("globex", { username: "rene\u0301" });
  const config = { login: "ren\u00e9@globex", name: "ci", login_with: "temporary_password" };
  const { state } = await created(token, service.connection, config);
  expect(await accepts(service, state["access_token"])).toBe(200);
});

test("a user with a password of its own keeps it", async () => {
  const service = await withUser();
  const config = { login: "csi@globex", name: "ci", login_with: "temporary_password" };
  expect(await refusal(created(token, service.connection, config))).toMatchObject([
    { code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", attribute: ["login_with"] },
  ]);
  expect(secretsIn(service)).toEqual([]);
});

test("a machine user is left without a password also where the creation fails", async () => {
  const service = await withUser({ tokenCreationNeedsRight: true });
  service.simulator.records.createProfile("globex", {
    username: "robot",
    permissions: { user: { rights: { manage_authorizations: false } } },
  });
  const config = { login: "robot@globex", name: "ci", login_with: "temporary_password" };
  expect(await refusal(created(token, service.connection, config))).toMatchObject([
    { code: "TENANCY_API_FORBIDDEN" },
  ]);
  expect(service.simulator.records.profile("robot@globex").password).toBeNull();
});

test("a machine user is left without a password, and the token is kept, also where the run is stopped while it is created", async () => {
  const stop = new AbortController();
  const onRequest = ({ method, path }: RequestEvent) => {
    if (method === "POST" && path === "/api/authorization") stop.abort();
  };
  const service = await withUser({}, { client: { signal: stop.signal, onRequest } });
  service.simulator.records.createProfile("globex", { username: "robot" });
  const config = { login: "robot@globex", name: "ci", login_with: "temporary_password" };
  const { state, findings } = await created(token, service.connection, config);
  expect(findings).toEqual([]);
  expect(service.simulator.records.profile("robot@globex").password).toBeNull();
  const another = { connection: service.anew({ client: {} }) } as Connected;
  expect(await accepts(another, state["access_token"])).toBe(200);
});

test("a token that cannot be kept is revoked also where the run is stopped while it is created", async () => {
  const stop = new AbortController();
  const service = await withUser({}, { client: { signal: stop.signal } });
  const keeper = keeperOfFullDisk(() => stop.abort());
  const { planned } = token.propose(CONFIG, null, { asOf: undefined });
  expect(await refusal(token.create(service.connection, { planned, config: CONFIG, keeper }))).toMatchObject([
    { code: "TENANCY_TOKEN_NOT_KEPT" },
  ]);
  expect(secretsIn(service)).toEqual([]);
});

describe("a password that cannot be taken away again", () => {
  const config = { login: "robot@globex", name: "ci", login_with: "temporary_password" };

  test("is a warning: the token is kept", async () => {
    const service = await withKeptPassword();
    const { state, findings } = await created(token, service.connection, config);
    expect(findings).toMatchObject([{ severity: "warning", code: "TENANCY_PASSWORD_LEFT" }]);
    expect(await accepts(service, state["access_token"])).toBe(200);
  });

  test.each([
    ["the service denies the creation", { status: 403 }, "TENANCY_API_FORBIDDEN"],
    [
      "the service refuses a value of the token",
      { status: 400, body: { errors: [{ type: "format", field: "/name", msg: "too short" }] } },
      "TENANCY_API_VALIDATION",
    ],
  ])("is told of also where %s", async (_why, answer, code) => {
    const service = await withKeptPassword();
    service.simulator.fail({ method: "POST", path: "/api/authorization", ...answer });
    expect(await refusal(created(token, service.connection, config))).toMatchObject([
      { severity: "error", code },
      { severity: "warning", code: "TENANCY_PASSWORD_LEFT" },
    ]);
  });

  test("is told of also where the token cannot be kept", async () => {
    const service = await withKeptPassword();
    const keeper = keeperOfFullDisk();
    const { planned } = token.propose(config, null, { asOf: undefined });
    expect(await refusal(token.create(service.connection, { planned, config, keeper }))).toMatchObject([
      { severity: "error", code: "TENANCY_TOKEN_NOT_KEPT" },
      { severity: "warning", code: "TENANCY_PASSWORD_LEFT" },
    ]);
  });
});

describe("where the service ends a user's tokens with the user's password", () => {
  const config = { login: "robot@globex", name: "ci", login_with: "temporary_password" };

  async function withRobot(): Promise<Connected> {
    const service = await withUser({ passwordEndsTokens: true });
    service.simulator.records.createProfile("globex", { username: "robot" });
    return service;
  }

  test("a token that was created with a passing password is told to be no good", async () => {
    const service = await withRobot();
    const { state, findings } = await created(token, service.connection, config);
    expect(await accepts(service, state["access_token"])).toBe(401);
    expect(findings).toMatchObject([
      {
        severity: "error",
        code: "TENANCY_TOKENS_ENDED",
        summary: `the service refuses ${textIn(state, "serial")} since the password of "robot@globex" changed`,
        attribute: ["login_with"],
      },
    ]);
  });

  test("the user's other tokens that the state keeps are told too, except those that were refused before", async () => {
    const service = await withRobot();
    const { records } = service.simulator;
    const [other, dead] = [records.createToken("robot@globex"), records.createToken("robot@globex")];
    records.revokeToken(dead.serial);
    const keeper: TokenKeeper = {
      intend: () => Promise.resolve({ keep: () => Promise.resolve(), drop: () => Promise.resolve() }),
      keptFor: (login) => (login === "robot@globex" ? [other, dead] : []),
    };
    const { planned } = token.propose(config, null, { asOf: undefined });
    const { state, findings } = await token.create(service.connection, { planned, config, keeper });
    expect(findings.map(({ summary }) => summary)).toEqual([
      `the service refuses ${other.serial}, ${textIn(state, "serial")} since the password of "robot@globex" changed`,
    ]);
  });

  test.each([
    ["is noted as ended while its user is well", true],
    ["is not noted as ended where its user has been deactivated meanwhile", false],
  ])("a token that is refused %s", async (_what, isWell) => {
    const service = await withRobot();
    const { records } = service.simulator;
    if (!isWell)
      service.simulator.fail({
        method: "PATCH",
        where: takesPasswordAway,
        alter: (body) => {
          records.patchProfile("robot@globex", { activated: false });
          return body;
        },
      });
    const noted: (readonly string[])[] = [];
    const keeper: TokenKeeper = {
      intend: () => Promise.resolve({ keep: () => Promise.resolve(), drop: () => Promise.resolve() }),
      noteRefused: (serials) => {
        noted.push(serials);
        return Promise.resolve();
      },
    };
    const { planned } = token.propose(config, null, { asOf: undefined });
    const { state, findings } = await token.create(service.connection, { planned, config, keeper });
    expect(findings).toMatchObject([{ code: "TENANCY_TOKENS_ENDED" }]);
    expect(noted).toEqual(isWell ? [[state["serial"]]] : []);
  });

  test("a token whose end cannot be noted is told of with that", async () => {
    const service = await withRobot();
    const keeper: TokenKeeper = {
      intend: () => Promise.resolve({ keep: () => Promise.resolve(), drop: () => Promise.resolve() }),
      noteRefused: () => Promise.reject(stateUnusable.error({ state: "here", fault: "is full" })),
    };
    const { planned } = token.propose(config, null, { asOf: undefined });
    const { findings } = await token.create(service.connection, { planned, config, keeper });
    expect(findings.map(({ code }) => code)).toEqual(["TENANCY_TOKENS_ENDED", "TENANCY_STATE_UNUSABLE"]);
  });

  test("the token that a rotation replaces, and that was to stay valid for a while, is told too", async () => {
    const service = await withRobot();
    const other = service.simulator.records.createToken("robot@globex");
    const { id, serial, access_token, user_id } = other;
    const prior = { ...config, id, serial, access_token, user_id, keepers: null, previous: [] };
    const { findings, state } = await updated(token, service.connection, prior, {
      ...config,
      keepers: { year: "2026" },
    });
    expect(findings[0]?.summary).toContain(`refuses ${serial}, ${textIn(state, "serial")} since`);
  });

  test("a token that the same run created before for another object, through any of its connections, is told too", async () => {
    const service = await withUser();
    const { records } = service.simulator;
    records.createProfile("globex", { username: "robot" });
    const first = await created(token, service.anew({ made: service.connection.made }), config);
    service.simulator.fail({
      method: "PATCH",
      where: takesPasswordAway,
      alter: (body) => {
        records.revokeToken(textIn(first.state, "serial"));
        return body;
      },
    });
    const { findings } = await created(token, service.connection, { ...config, name: "cd" });
    expect(findings.map(({ summary }) => summary)).toEqual([
      `the service refuses ${textIn(first.state, "serial")} since the password of "robot@globex" changed`,
    ]);
  });
});

test("each token that stays valid is told where several cannot be revoked", async () => {
  const service = await withUser();
  const { state } = await created(token, service.connection, CONFIG);
  const { state: rotated } = await updated(token, service.connection, state, {
    ...CONFIG,
    keepers: { a: "1" },
  });
  service.simulator.fail({ method: "DELETE", path: /^\/api\/authorization\//, status: 403, times: 2 });
  const gone = token.delete(service.connection, { prior: rotated });
  await expect(gone).rejects.toMatchObject({ code: "TENANCY_SEVERAL_FAILURES" });
  expect(secretsIn(service)).toHaveLength(2);
});

test("an intent is noted before the creation, and the token kept before success is reported", async () => {
  const service = await withUser();
  const log: string[] = [];
  const keeper: TokenKeeper = {
    async intend(login, name, loginWith) {
      log.push(`intend ${login} ${name} ${loginWith}, ${secretsIn(service).length} created`);
      return {
        keep: async (state) => void log.push(`keep ${typeof state["access_token"]}`),
        drop: async () => void log.push("drop"),
      };
    },
  };
  const { planned } = token.propose(CONFIG, null, { asOf: undefined });
  await token.create(service.connection, { planned, config: CONFIG, keeper });
  expect(log).toEqual(["intend csi@globex csi-prod password, 0 created", "keep string"]);
  const wrong = { ...CONFIG, password_wo: "wrong" };
  await refusal(token.create(service.connection, { planned, config: wrong, keeper }));
  expect(log.slice(2)).toEqual(["intend csi@globex csi-prod password, 1 created", "drop"]);
});

test("a user with a second factor needs another way of creating tokens", async () => {
  const service = await withUser();
  service.simulator.records.patchProfile("csi@globex", { two_factor: { auth: "google", secret: "00ff" } });
  expect(await refusal(created(token, service.connection, CONFIG))).toMatchObject([
    { code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", attribute: ["login_with"] },
  ]);
});
