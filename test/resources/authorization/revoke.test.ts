/** What proves that a token has ended: covers src/resources/authorization/revoke.ts. */
import { resource as token, revoke } from "../../../src/resources/authorization";
import type { ObjectValue } from "../../../src/lib/values";
import { connected, type Connected } from "../../support/connections";
import { created, deleted, refusal, textIn } from "../../support/life";

const CONFIG: ObjectValue = { login: "csi@globex", name: "ci", password_wo: "correct horse" };

interface WithToken extends Connected {
  readonly state: ObjectValue;
}

/** A service with a token that works. */
async function withToken(...[service, options]: Parameters<typeof connected>): Promise<WithToken> {
  const found = await connected(service, options);
  const { records } = found.simulator;
  records.createAccount({ name: "globex" });
  records.createProfile("globex", { username: "csi", password: "correct horse" });
  const { state } = await created(token, found.connection, CONFIG);
  found.simulator.clearRequests();
  return { ...found, state };
}

/** As {@link withToken}, where nothing is revoked over the API, and what a suspended user asks is refused as if the token had ended. */
const withTokenThatStays = () => withToken({ revocation: false, suspendedStatus: 401 });

const pathsIn = ({ simulator }: Connected) => simulator.requests.map(({ path }) => path).join("\n");
const isGood = async ({ connection, state }: WithToken) =>
  (await connection.client.callerAs({ kind: "bearer", token: textIn(state, "access_token") })).status === 200;

test("a token that the service refuses only a moment after its deletion is revoked", async () => {
  const service = await withToken();
  service.simulator.fail({ method: "DELETE", status: 204 });
  service.simulator.fail({
    path: "/api/status/authorization",
    alter: (body) => {
      service.simulator.records.revokeToken(textIn(service.state, "serial"));
      return body;
    },
  });
  await revoke(service.connection, service.state);
  expect(await isGood(service)).toBe(false);
});

test("a token of which only the secret is known cannot be deleted, and is revoked once it is refused", async () => {
  const service = await withToken();
  const { state, connection, simulator } = service;
  const nameless = { ...state, id: null, serial: null };
  expect((await refusal(revoke(connection, nameless)))[0]?.summary).toBe(
    "the token unknown is still valid after it was revoked",
  );
  expect(simulator.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
  simulator.records.revokeToken(textIn(state, "serial"));
  await revoke(connection, nameless);
});

test("a deletion that may succeed later, or that was stopped, revokes nothing, whatever is known of the token", async () => {
  const stop = new AbortController();
  const { state, connection, simulator, anew } = await withToken({}, { client: { retryTimeoutMs: 0 } });
  simulator.fail({ method: "DELETE", status: 503, times: 9 });
  const stopped = anew({ client: { signal: stop.signal } });
  stop.abort();
  for (const one of [state, { ...state, access_token: null }]) {
    expect((await refusal(revoke(connection, one)))[0]?.summary).toMatch(/^DELETE .*\(503\)/);
    expect(await refusal(revoke(stopped, one))).toMatchObject([{ code: "TENANCY_CANCELLED" }]);
  }
});

describe("a token that the service refuses and does not revoke over its API", () => {
  const SUSPENDED = { activated: false };

  /** Why the token may work again, which holds also where another one has replaced it. */
  async function doubt(service: WithToken, state = service.state) {
    expect(await isGood(service)).toBe(false);
    const successor = { ...state, id: null, serial: null, access_token: null, previous: [state] };
    const findings = [
      ...(await refusal(revoke(service.connection, state))),
      ...(await refusal(deleted(token, service.connection, successor))),
    ];
    expect(findings).toMatchObject([{ code: "TENANCY_NOT_REVOKED" }, { code: "TENANCY_NOT_REVOKED" }]);
    expect(pathsIn(service)).not.toMatch(/undefined|null/);
    const reasons = findings.map(({ summary }) => summary.replace(/^.* it is refused now, and /, ""));
    expect(reasons[1]).toBe(reasons[0]);
    return reasons[0];
  }

  test("is not taken for revoked where its suspended user has another login by now", async () => {
    const service = await withTokenThatStays();
    service.simulator.records.patchProfile("csi@globex", SUSPENDED);
    const former = { ...service.state, login: "storage@globex" };
    expect(await doubt(service, former)).toBe("its user is not activated");
  });

  test("is not taken for revoked where its suspended user's id is not known, or was given up since the lists were read", async () => {
    const service = await withTokenThatStays();
    const { records } = service.simulator;
    await service.connection.directory.snapshot();
    records.patchProfile("csi@globex", SUSPENDED);
    expect(await doubt(service, { ...service.state, user_id: null })).toBe("its user is not activated");
    records.deleteProfile("csi@globex");
    records.createProfile("globex", { username: "csi", ...SUSPENDED });
    expect(await doubt(service)).toBe("its user is not activated");
  });

  test("is not taken for revoked where neither the login of its suspended user nor an id that leads there is known", async () => {
    const service = await withTokenThatStays();
    service.simulator.records.patchProfile("csi@globex", SUSPENDED);
    const nobodys = { ...service.state, user_id: null, login: null };
    expect(await doubt(service, nobodys)).toBe(
      "its user is not found, which proves nothing: its login is not known",
    );
    expect(await doubt(service, { ...service.state, login: null })).toBe("its user is not activated");
  });

  test("is not taken for revoked where its suspended user cannot be looked at", async () => {
    const service = await withTokenThatStays();
    service.simulator.records.patchProfile("csi@globex", SUSPENDED);
    service.simulator.fail({ method: "GET", path: /user-profile/, status: 403, times: 4 });
    expect(await doubt(service)).toMatch(/^GET \/api\/user-profile\/.*access denied/);
  });

  test("is taken for revoked where its user shows no account to look at", async () => {
    const service = await withTokenThatStays();
    service.simulator.records.patchAccount("globex", { disabled: true });
    service.simulator.fail({
      method: "GET",
      path: /user-profile/,
      alter: (profile) => ({ ...(profile as object), account_id: null }),
    });
    service.simulator.records.revokeToken(textIn(service.state, "serial"));
    await revoke(service.connection, service.state);
    expect(pathsIn(service)).not.toMatch(/undefined|null/);
  });

  test("is not taken for revoked where the run is stopped while it is looked at", async () => {
    const stop = new AbortController();
    const service = await withTokenThatStays();
    service.simulator.records.patchProfile("csi@globex", SUSPENDED);
    const onRequest = ({ path }: { readonly path: string }) => {
      if (path.includes("status/authorization")) stop.abort();
    };
    const stopped = service.anew({ client: { signal: stop.signal, onRequest } });
    expect(await refusal(revoke(stopped, service.state))).toMatchObject([{ code: "TENANCY_CANCELLED" }]);
  });
});

describe("a token that a restored service has lost", () => {
  /** The token is lost, and its id belongs to a token of bob's. */
  async function restored() {
    const found = await connected({ suspendedStatus: 401 });
    const { records } = found.simulator;
    records.createAccount({ name: "globex" });
    records.createProfile("globex", { username: "csi", password: "correct horse" });
    records.createProfile("globex", { username: "bob" });
    const restore = records.backup();
    const { state } = await created(token, found.connection, CONFIG);
    restore();
    const bobs = records.createToken("bob@globex");
    expect(bobs.id).toBe(state["id"]);
    found.simulator.clearRequests();
    const isBobsGood = async () =>
      (await found.connection.client.callerAs({ kind: "bearer", token: bobs.access_token })).status === 200;
    const deletes = () => found.simulator.requests.filter(({ method }) => method === "DELETE");
    return { ...found, state, isBobsGood, deletes };
  }

  test("is presented, and nothing is left to delete: the token that has its id now stays", async () => {
    const { connection, state, isBobsGood, deletes } = await restored();
    await revoke(connection, state);
    expect(deletes()).toEqual([]);
    expect(await isBobsGood()).toBe(true);
  });

  test("is deleted by its serial number alone where its user is not well, or its secret is not known", async () => {
    const { connection, simulator, state, isBobsGood, deletes } = await restored();
    await revoke(connection, { ...state, access_token: null });
    simulator.records.patchProfile("csi@globex", { activated: false });
    expect(await refusal(revoke(connection, state))).toMatchObject([{ code: "TENANCY_NOT_REVOKED" }]);
    const path = `/api/authorization/${textIn(state, "serial")}`;
    expect(new Set(deletes().map((one) => one.path))).toEqual(new Set([path]));
    expect(await isBobsGood()).toBe(true);
  });

  test("is judged by the user of its login, not by another user who has the id of that one now", async () => {
    const { connection, simulator, state } = await restored();
    const { records } = simulator;
    records.renumberProfile("csi@globex");
    records.patchProfile("csi@globex", { activated: false });
    const moved = { ...state, user_id: records.profile("bob@globex").id };
    expect((await refusal(revoke(connection, moved)))[0]?.summary).toMatch(/its user is not activated$/);
  });
});

describe("where the service revokes nothing over its API, a token ends", () => {
  test("with the account of its user", async () => {
    const { simulator, connection, state } = await withTokenThatStays();
    simulator.records.deleteAccount("globex");
    await revoke(connection, state);
  });

  test("with its user, also for a caller who may manage users and no accounts", async () => {
    const { simulator, anew, state } = await withToken({
      revocation: false,
      suspendedStatus: 401,
      describeCaller: { permissions: true },
    });
    const { records } = simulator;
    const permissions = {
      user: { rights: { manage_users: true } },
      realm: { rights: { manage_accounts: false } },
    };
    records.createProfile("globex", { username: "keeper", level: 900, permissions });
    const { access_token: own } = records.createToken("keeper@globex");
    records.deleteProfile("csi@globex");
    await revoke(anew({ token: own }), state);
  });
});
