/** Whom a token is created for, and what becomes of one that must not stay: covers src/resources/authorization/create.ts and with-password.ts. */
import { type Finding, worded, wordsFor } from "../../../src/problems";
import type { TokenKeeper } from "../../../src/resources";
import { resource as token } from "../../../src/resources/authorization";
import type { Fault } from "../../../src/lib/simulator";
import type { ObjectValue } from "../../../src/lib/values";
import { connected, type Connected } from "../../support/connections";
import { created, refusal, updated } from "../../support/life";
import { until } from "../../support/until";

const CONFIG: ObjectValue = { login: "csi@globex", name: "ci", password_wo: "correct horse" };
const EPHEMERAL: ObjectValue = { login: "robot@globex", name: "ci", login_with: "temporary_password" };

/** A service with a user who has a password, and one who has none. */
async function withUsers(...[service, options]: Parameters<typeof connected>): Promise<Connected> {
  const found = await connected(service, options);
  const { records } = found.simulator;
  records.createAccount({ name: "globex" });
  records.createProfile("globex", { username: "csi", password: "correct horse", allow_su: true });
  records.createProfile("globex", { username: "robot" });
  return found;
}

/** Writes down what becomes of the note of a creation. */
function noting(keep: () => void = () => undefined) {
  const log: string[] = [];
  const keeper: TokenKeeper = {
    intend: async () => ({
      keep: async () => {
        keep();
        log.push("kept");
      },
      drop: async () => void log.push("dropped"),
    }),
  };
  return { log, keeper };
}

function createToken({ connection }: Connected, config: ObjectValue, keeper: TokenKeeper) {
  const { planned } = token.propose(config, null, { asOf: undefined });
  return token.create(connection, { planned, config, keeper });
}

const good = ({ simulator }: Connected) => simulator.records.authorizations.map(({ serial }) => serial);
const adviceIn = (findings: readonly Finding[]) => worded(findings, wordsFor(undefined))[0]?.advice;
const pathsIn = ({ simulator }: Connected) => simulator.requests.map(({ path }) => path).join("\n");
const fullDisk = () => {
  throw new Error("the disk is full");
};

describe("who a token is created for, and with what", () => {
  test("has to be declared where the provider works with a token, and a password may be given", async () => {
    const service = await withUsers();
    const own = service.simulator.records.createToken("system").access_token;
    const connection = service.anew({ token: own });
    expect(await refusal(created(token, connection, { name: "ci" }))).toMatchObject([
      { code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", attribute: ["login"] },
    ]);
    const [finding] = await refusal(created(token, connection, { name: "ci", login: "csi@globex" }));
    expect(finding).toMatchObject({ code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", attribute: ["password_wo"] });
    expect(finding?.summary).toContain("the provider is configured with a token, and no password is given");
    expect(good(service)).toHaveLength(1);
    expect((await created(token, connection, CONFIG)).state["login"]).toBe("csi@globex");
  });

  test("is another user only with the password of that user", async () => {
    const service = await withUsers();
    const { log, keeper } = noting();
    expect(await refusal(createToken(service, { ...CONFIG, password_wo: null }, keeper))).toMatchObject([
      { code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", attribute: ["password_wo"] },
    ]);
    expect(log).toEqual(["dropped"]);
    expect(service.simulator.requests).toEqual([]);
  });

  test("is nobody where there is no such user, or a second factor", async () => {
    const service = await withUsers();
    const findings = [
      ...(await refusal(created(token, service.connection, { ...EPHEMERAL, login: "nobody@globex" }))),
    ];
    service.simulator.records.patchProfile("robot@globex", {
      two_factor: { auth: "google", secret: "00ff" },
    });
    findings.push(...(await refusal(created(token, service.connection, EPHEMERAL))));
    service.simulator.records.patchProfile("system", { two_factor: { auth: "google", secret: "00ff" } });
    findings.push(...(await refusal(created(token, service.anew(), { name: "own" }))));
    expect(findings.map(({ code, summary }) => `${code} ${summary.replace(/^.*: /, "")}`)).toEqual([
      "TENANCY_TOKEN_CREATION_IMPOSSIBLE there is no such user that the caller can see",
      "TENANCY_TOKEN_CREATION_IMPOSSIBLE the user logs in with two factors, so a password is not enough",
      expect.stringMatching(/^TENANCY_OTP_REQUIRED /),
    ]);
    expect(good(service)).toEqual([]);
  });
});

describe("the caller's own token, with a declared password", () => {
  const codes = { hex: "00112233445566778899", base32: "AAISEM2EKVTHPCEZ" };
  const config: ObjectValue = { name: "own", login: "system", password_wo: "system" };

  test("is created in the run's session if the caller has codes, since the password alone would not do", async () => {
    const service = await withUsers();
    const { records } = service.simulator;
    records.patchProfile("system", { two_factor: { auth: "google", secret: codes.hex } });
    expect(await refusal(created(token, service.anew(), config))).toMatchObject([
      { code: "TENANCY_TOKEN_CREATION_IMPOSSIBLE", attribute: ["login_with"] },
    ]);
    const connection = service.anew({ totpSecret: codes.base32 });
    expect((await created(token, connection, config)).state["login"]).toBe("system");
  });

  test("of another user is created with that user's password, also if the caller has codes", async () => {
    const service = await withUsers();
    service.simulator.records.patchProfile("system", { two_factor: { auth: "google", secret: codes.hex } });
    const connection = service.anew({ totpSecret: codes.base32 });
    expect((await created(token, connection, CONFIG)).state["login"]).toBe("csi@globex");
    const [own] = service.simulator.records.authorizations;
    expect(own?.user_id).toBe(service.simulator.records.profile("csi@globex").id);
  });
});

describe("a token that must not stay", () => {
  /** The service creates as ever, and shows the token as another user's. */
  async function withMixedUp(options: Parameters<typeof connected>[0] = {}) {
    const service = await withUsers(options);
    const { id } = service.simulator.records.profile("system");
    service.simulator.fail({
      method: "POST",
      path: "/api/authorization",
      alter: (body) => ({ ...(body as object), user_id: id }),
    });
    return service;
  }

  test("is revoked where it is another user's, and the note of it is dropped", async () => {
    const service = await withMixedUp();
    const { log, keeper } = noting();
    const [finding] = await refusal(createToken(service, CONFIG, keeper));
    expect(finding).toMatchObject({ code: "TENANCY_TOKEN_OF_ANOTHER" });
    expect(finding?.detail).toMatch(/^It was revoked \(serial ATH/);
    expect(good(service)).toEqual([]);
    expect(log).toEqual(["dropped"]);
  });

  test("stays noted where it is another user's and cannot be revoked", async () => {
    const service = await withMixedUp({ revocation: false });
    const { log, keeper } = noting();
    const [finding] = await refusal(createToken(service, CONFIG, keeper));
    expect(finding?.detail).toBe(`It could not be revoked: serial ${good(service)[0]}.`);
    expect(log).toEqual([]);
  });

  test.each([true, false])(
    "is dropped from the notes where it cannot be kept, once it is revoked (%s)",
    async (revocation) => {
      const service = await withUsers({ revocation });
      const { log, keeper } = noting(fullDisk);
      expect(await refusal(createToken(service, CONFIG, keeper))).toMatchObject([
        { code: "TENANCY_TOKEN_NOT_KEPT" },
      ]);
      expect(good(service)).toHaveLength(revocation ? 0 : 1);
      expect(log).toEqual(revocation ? ["dropped"] : []);
    },
  );

  test("may have been created where the answer is lost, and stays noted", async () => {
    const service = await withUsers();
    const { log, keeper } = noting();
    service.simulator.fail({ method: "POST", path: "/api/authorization", when: "after", reset: true });
    expect(await refusal(createToken(service, CONFIG, keeper))).toMatchObject([
      { code: "TENANCY_ANSWER_LOST" },
    ]);
    expect(log).toEqual([]);
  });
});

test("a token is kept where its user cannot be looked at, or the service does not say whose it is", async () => {
  const service = await withUsers();
  const { log, keeper } = noting();
  service.simulator.fail({ method: "GET", path: /user-profile/, status: 403 });
  await createToken(service, CONFIG, keeper);
  service.simulator.clearFaults();
  service.simulator.fail({
    method: "POST",
    path: "/api/authorization",
    alter: (body) => ({ ...(body as object), user_id: null }),
  });
  await createToken(service, { ...CONFIG, name: "cd" }, keeper);
  expect(log).toEqual(["kept", "kept"]);
  expect(pathsIn(service)).not.toMatch(/undefined|null/);
});

describe("a password for the moment of the creation", () => {
  test("is set for nobody where the user of the plan has gone since", async () => {
    const service = await withUsers();
    const { log, keeper } = noting();
    const { id } = service.simulator.records.profile("robot@globex");
    service.simulator.records.deleteProfile("robot@globex");
    const [finding] = await refusal(createToken(service, EPHEMERAL, { ...keeper, userIdOf: () => id }));
    expect(finding?.code).toBe("TENANCY_TOKEN_CREATION_IMPOSSIBLE");
    expect(finding?.summary).toContain("there is no such user that the caller can see");
    expect(log).toEqual(["dropped"]);
  });

  test("takes as few requests as can be, and asks nothing of a token whose secret is not known", async () => {
    const service = await withUsers();
    await service.connection.client.caller();
    service.simulator.clearRequests();
    const prior = { ...EPHEMERAL, keepers: null, serial: "old", access_token: null, previous: [] };
    const config = { ...EPHEMERAL, keepers: { year: "2026" } };
    expect((await updated(token, service.connection, prior, config)).findings).toEqual([]);
    const shown = service.simulator.requests.map(
      ({ method, path }) => `${method} ${path.replace(/(profile)\/.*/, "$1/…")}`,
    );
    expect(shown).toEqual([
      "GET /api/status/authorization",
      "GET /api/account",
      "GET /api/user-profile",
      "GET /api/user-profile/…",
      "PATCH /api/user-profile/…",
      "POST /api/authorization",
      "GET /api/user-profile/…",
      "PATCH /api/user-profile/…",
      "GET /api/status/authorization",
    ]);
  });

  test("may be set for a user of whom the service shows no second factor at all", async () => {
    const service = await withUsers();
    service.simulator.fail({
      path: /user-profile\/./,
      method: "GET",
      alter: (user) => ({ ...(user as object), two_factor: undefined }),
    });
    await created(token, service.connection, EPHEMERAL);
    expect(good(service)).toHaveLength(1);
  });

  test("is taken away where the service shows so a moment later, and is told of where it never does", async () => {
    const service = await withUsers();
    const stillThere = (profile: unknown) => ({ ...(profile as object), password_set: true });
    const isRemoval = ({ body }: { readonly body: unknown }) =>
      (body as { readonly password?: unknown }).password === null;
    service.simulator.fail({ method: "PATCH", where: isRemoval, alter: stillThere, times: 2 });
    expect((await created(token, service.connection, EPHEMERAL)).findings).toEqual([]);
    // The first reading is about the token's user.
    service.simulator.fail({
      method: "GET",
      path: /user-profile\/./,
      skip: 1,
      times: 99,
      alter: stillThere,
    });
    const { findings } = await created(token, service.connection, { ...EPHEMERAL, name: "cd" });
    expect(findings).toMatchObject([{ severity: "warning", code: "TENANCY_PASSWORD_LEFT" }]);
    expect(findings[0]?.summary).toContain("the service still shows one");
    expect(adviceIn(findings)).toMatch(/^On its user profile, /);
  });

  test("is noted before it is set, and until it is gone", async () => {
    const service = await withUsers();
    const { log, keeper } = noting();
    const temporaryPasswords = {
      has: () => log.includes("noted"),
      note: async () => {
        expect(service.simulator.records.profile("robot@globex").password).toBeNull();
        log.push("noted");
      },
      forget: () => void log.push("forgotten"),
    };
    const noted = { ...keeper, temporaryPasswords };
    const where = ({ body }: { readonly body: unknown }) =>
      (body as { readonly password?: unknown }).password === null;
    const fault = service.simulator.fail({ method: "PATCH", where, status: 403, times: 99 });
    const { state, findings } = await createToken(service, EPHEMERAL, noted);
    expect(findings).toMatchObject([{ severity: "error", code: "TENANCY_PASSWORD_LEFT" }]);
    expect(adviceIn(findings)).toContain(
      "Every apply tries to remove it. If the service refuses that, declare a password",
    );
    expect(good(service)).toEqual([state["serial"]]);
    expect(log).toEqual(["noted", "kept"]);
    fault.remove();
    // The password of that note keeps no other token from being created.
    log.length = 1;
    temporaryPasswords.note = async () => undefined;
    expect((await createToken(service, { ...EPHEMERAL, name: "cd" }, noted)).findings).toEqual([]);
    expect(log).toEqual(["noted", "kept", "forgotten"]);
  });

  test("leaves a token that is good a moment later, and one of which nobody can tell is told of", async () => {
    const service = await withUsers();
    const connection = service.anew({ client: { retryTimeoutMs: 0 } });
    const at = (name: string, fault: object) => {
      service.simulator.clearFaults();
      service.simulator.fail({ path: "/api/status/authorization", ...fault });
      return created(token, connection, { ...EPHEMERAL, name });
    };
    expect((await at("a", { status: 401 })).findings).toEqual([]);
    // Later ones ask for the earlier ones beforehand.
    const denied = await at("b", { skip: 1, status: 403, times: 99 });
    expect(denied.findings.map(({ code }) => code)).toContain("TENANCY_TOKEN_NOT_VERIFIED");
    expect(denied.findings[0]?.summary).toContain("it is denied access (403)");
    const busy = await at("c", { skip: 2, status: 503, times: 99 });
    expect(busy.findings).toHaveLength(3);
    expect(busy.findings[2]).toMatchObject({ severity: "warning", code: "TENANCY_TOKEN_NOT_VERIFIED" });
    expect(busy.findings[0]?.summary).toContain("(503)");
    expect(good(service)).toHaveLength(3);
  });

  test("is not set where the service cannot be asked which tokens of the user are good", async () => {
    const service = await withUsers();
    const { state: prior } = await created(token, service.connection, EPHEMERAL);
    const stop = new AbortController();
    const outages: readonly (readonly [Fault, string, (() => void)?])[] = [
      [{ status: 503 }, "TENANCY_API_BUSY"],
      [{ reset: true }, "TENANCY_API_CONNECTION_LOST"],
      [{ hang: true }, "TENANCY_CANCELLED", () => stop.abort()],
    ];
    for (const [fault, code, then = () => undefined] of outages) {
      const connection = service.anew({ client: { retryTimeoutMs: 0, signal: stop.signal } });
      await connection.directory.beforeCreates();
      service.simulator.clearRequests();
      const pending = service.simulator.fail({ path: "/api/status/authorization", times: 99, ...fault });
      const config = { ...EPHEMERAL, keepers: { year: "2026" } };
      const refused = refusal(updated(token, connection, prior, config));
      await until(() => pending.strikes > 0);
      then();
      expect(await refused).toMatchObject([{ code }]);
      pending.remove();
      expect(service.simulator.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
    }
    expect(good(service)).toEqual([prior["serial"]]);
  });

  test("may end the token itself, also where the service gave it no serial number", async () => {
    const service = await withUsers({ passwordEndsTokens: true });
    service.simulator.fail({
      method: "POST",
      path: "/api/authorization",
      alter: (body) => ({ ...(body as object), serial: null }),
    });
    const { findings } = await created(token, service.connection, EPHEMERAL);
    expect(findings[0]?.summary).toMatch(/^the service refuses unknown since/);
  });

  test("is one token's at a time, also where a third one comes while the second is created", async () => {
    const service = await withUsers();
    const named = (name: string) => created(token, service.connection, { ...EPHEMERAL, name });
    const first = named("a");
    const second = named("b");
    await first;
    await Promise.all([second, named("c")]);
    expect(good(service)).toHaveLength(3);
    expect(service.simulator.records.profile("robot@globex").password).toBeNull();
  });
});
