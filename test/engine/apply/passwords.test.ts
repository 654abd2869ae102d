import {
  EntryList,
  type TemporaryPassword,
  temporaryPasswordKind,
  failedRevocationKind,
  type TokenEntry,
  tokenKind,
} from "../../../src/credentials/entries";
import {
  forgetReplacedPassword,
  StoredTokenCheck,
  takeAwayTemporaryPasswords,
} from "../../../src/engine/apply/passwords";
import { Progress } from "../../../src/engine/apply/progress";
import { type Finding, worded, wordsFor } from "../../../src/problems";
import { connected } from "../../support/connections";
import { csiToken, failedRevocation } from "../../credentials/samples";

const ORIGIN = "https://storage.example";
const newPassword = [{ path: ["password_wo_version"], before: 1, after: 2 }];

function changeOf(key: string, more: object = {}) {
  return {
    action: "update",
    key,
    title: key,
    before: {},
    attributes: newPassword,
    ...more,
  };
}

/** An object of a run, as far as it matters here. */
function objectOf(
  change: object,
  target: object = { provider: "tenancy", origin: ORIGIN, owners: { current: "acme-platform" } },
) {
  const instance = { address: "tenancy_user_profile.csi" };
  return {
    resource: { kind: "record" },
    target,
    change,
    block: { type: "tenancy_user_profile" },
    instance,
  } as never;
}

describe("after a user's new password", () => {
  /** A run with a user csi@globex, and a token of the user's in the store, which the service accepts or not. */
  async function run(
    entry: Partial<TokenEntry> = {},
    { isGood = false, isRevoked = false, prunes = [] as object[], origin = ORIGIN } = {},
  ) {
    const { simulator, connection } = await connected();
    simulator.records.createAccount({ name: "globex" });
    const user = simulator.records.createProfile("globex", { username: "csi" });
    const made = simulator.records.createToken("csi@globex");
    if (!isGood) simulator.records.revokeToken(made.serial);
    const { serial, access_token } = made;
    const record = { ...csiToken.record, id: made.id, serial, access_token, user_id: user.id };
    const token = { ...csiToken, record, previous: [], ...entry };
    const noted = isRevoked ? [[serial, { ...failedRevocation, serial }] as const] : [];
    const ledger = {
      tokens: new EntryList(new Map([["t", token]]), tokenKind, () => undefined),
      failedRevocations: new EntryList(new Map(noted), failedRevocationKind, () => undefined),
    };
    const targetAt = (at: string, current = "acme-platform") => ({
      origin: at,
      owners: { current, previous: [] },
      refused: new Set<string>(),
    });
    const target = targetAt(ORIGIN);
    const progress = new Progress(undefined, undefined, (finding) => finding);
    const own = { connection, ledger, target: targetAt(ORIGIN, "other-owner") };
    const empty = {
      ...own,
      ledger: { ...ledger, tokens: new EntryList(new Map(), tokenKind, () => undefined) },
    };
    const writeTargets = new Map<string, object>([
      ["tenancy", empty],
      ["tenancy.alias", { connection, ledger, target: { ...target, origin } }],
    ]);
    const trial = new StoredTokenCheck({ prunes } as never, writeTargets as never, progress);
    const written = (change: object = changeOf("csi@globex")) => trial.noteWritten(objectOf(change));
    const told = () => progress.result([]).diagnostics.map(({ code, summary }) => `${code} ${summary}`);
    const questions = () =>
      simulator.requests.filter(({ path }) => path === "/api/status/authorization").length;
    const refused = () => ledger.tokens.list().flatMap((one) => one.refused ?? []);
    return { trial, written, told, questions, refused, target, serial, simulator, token };
  }

  test("a kept token that the service refuses is told once, and noted", async () => {
    const { trial, written, told, refused, serial } = await run();
    written();
    expect(await trial.tryThoseOfChangedUsers()).toBe(true);
    expect(told()).toEqual([
      expect.stringMatching(`TENANCY_KEPT_TOKENS_ENDED.*csi@globex/csi-prod \\(${serial}\\)`),
    ]);
    expect(refused()).toMatchObject([{ serial }]);
  });

  test("a kept token that the service accepts stays, without a word", async () => {
    const { trial, written, told, refused, questions } = await run({}, { isGood: true });
    written();
    expect(await trial.tryThoseOfChangedUsers()).toBe(false);
    expect(told()).toEqual([]);
    expect(refused()).toEqual([]);
    expect(questions()).toBe(1);
  });

  test.each([
    ["of another user", { login: "jane@globex" }, {}],
    ["that is known to have ended", "refused", {}],
    ["that is to be revoked", {}, { isRevoked: true }],
    ["at another service", {}, { origin: "https://other.example" }],
  ] as const)("a token %s is not tried", async (_which, entry, options) => {
    const at = "2026-01-02T03:04:05Z";
    const done = await run(entry === "refused" ? {} : entry, options);
    if (entry === "refused")
      Object.assign(done.token, {
        refused: [
          { serial: "ATH0", refused_at: at },
          { serial: done.serial, refused_at: at },
        ],
      });
    done.written();
    expect(await done.trial.tryThoseOfChangedUsers()).toBe(false);
    expect(done.questions()).toBe(0);
  });

  test("a token that the plan has found refused is not tried", async () => {
    const { trial, written, questions, target, serial } = await run();
    target.refused.add(serial);
    written();
    expect(await trial.tryThoseOfChangedUsers()).toBe(false);
    expect(questions()).toBe(0);
  });

  test("a token of which only an earlier one has ended is tried", async () => {
    const { trial, written } = await run({
      refused: [{ serial: "ATH0", refused_at: "2026-01-02T03:04:05Z" }],
    });
    written();
    expect(await trial.tryThoseOfChangedUsers()).toBe(true);
  });

  test("a token that the run itself tries, creates or revokes is left to that, and a user of its key is none", async () => {
    const owned = { origin: ORIGIN, owners: { current: "acme-platform", previous: [] } };
    const change = { key: "csi@globex/csi-prod" };
    const reached = { resource: { kind: "token" }, target: owned, change };
    const pruned = await run({}, { prunes: [reached] });
    pruned.written();
    expect(await pruned.trial.tryThoseOfChangedUsers()).toBe(false);
    const tried = await run();
    tried.trial.noteReached(reached as never);
    tried.written();
    expect(await tried.trial.tryThoseOfChangedUsers()).toBe(false);
    const other = await run();
    other.trial.noteReached({ ...reached, change: { key: "csi@globex/other" } } as never);
    other.trial.noteReached({ ...reached, resource: { kind: "record" } } as never);
    other.written();
    expect(await other.trial.tryThoseOfChangedUsers()).toBe(true);
  });

  test("a token that the run has tried is tried again where a password is taken away after everything else", async () => {
    const { trial, target, questions } = await run({}, { isGood: true });
    const owned = { ...target, owners: { current: "acme-platform", previous: [] } };
    trial.noteReached({
      resource: { kind: "token" },
      target: owned,
      change: { key: "csi@globex/csi-prod" },
    } as never);
    trial.noteTakenAway("csi@globex", { ...owned, provider: "tenancy" } as never);
    expect(await trial.tryThoseOfChangedUsers()).toBe(false);
    expect(questions()).toBe(1);
  });

  test("nothing is tried where the password is as it was, or the user is new", async () => {
    const { trial, written, questions } = await run();
    written(changeOf("csi@globex", { attributes: [] }));
    written(changeOf("csi@globex", { action: "create", before: null }));
    expect(await trial.tryThoseOfChangedUsers()).toBe(false);
    expect(questions()).toBe(0);
  });

  test("an answer that proves nothing is told with the token, which is not taken for ended", async () => {
    const { trial, written, simulator, told, refused } = await run();
    simulator.fail({ path: "/api/status/authorization", status: 403, times: 9 });
    written();
    expect(await trial.tryThoseOfChangedUsers()).toBe(false);
    expect(told()).toEqual([expect.stringContaining("TENANCY_TOKEN_NOT_VERIFIED")]);
    expect(refused()).toEqual([]);
  });
});

// Passwords that creating a token has left.

const left: TemporaryPassword = {
  user_id: "user_profile:1:9",
  login: "csi@acme",
  set_at: "2026-01-02T03:04:05Z",
};

function ledgerOf(passwords: readonly TemporaryPassword[]) {
  const entries = passwords.map((one) => [one.user_id, one] as const);
  return { temporaryPasswords: new EntryList(new Map(entries), temporaryPasswordKind, () => undefined) };
}

/** What the user reads. */
const printed = (findings: readonly Finding[]) => JSON.stringify(worded(findings, wordsFor(undefined)));

describe("a password that was left is forgotten", () => {
  const other = { ...left, user_id: "user_profile:1:8", login: "jane@acme" };

  function remaining(change: object, { findings = [] as object[], origin = ORIGIN } = {}) {
    const ledgers = [ledgerOf([left, other]), ledgerOf([left])];
    const targets = ledgers.map((ledger, at) => [`tenancy.${at}`, { ledger, target: { origin } }] as const);
    forgetReplacedPassword(objectOf(change), { findings } as never, new Map(targets) as never);
    return ledgers.map(({ temporaryPasswords }) => temporaryPasswords.list().map(({ login }) => login));
  }
  const all = [["csi@acme", "jane@acme"], ["csi@acme"]];

  test("once another one was sent, in every part of the store", () => {
    expect(remaining(changeOf("csi@acme"))).toEqual([["jane@acme"], []]);
  });

  test.each([
    ["where nothing was sent", changeOf("csi@acme", { attributes: [] }), {}],
    ["where the write has failed in part", changeOf("csi@acme"), { findings: [{ severity: "error" }] }],
    ["at another service", changeOf("csi@acme"), { origin: "https://other.example" }],
  ])("but not %s", (_where, change, how) => {
    expect(remaining(change, how)).toEqual(all);
  });
});

describe("an apply takes away a password that was left", () => {
  const NOTHING = { users: [], told: [] };

  async function live(noted: Partial<TemporaryPassword> = {}) {
    const { simulator, connection } = await connected();
    simulator.records.createAccount({ name: "acme" });
    const { id } = simulator.records.createProfile("acme", { username: "csi", password: "left-left-left" });
    const planned = { ...left, user_id: id };
    const ledger = ledgerOf([{ ...planned, ...noted }]);
    const target = { origin: ORIGIN, ledger: ledgerOf([planned]) };
    const progress = new Progress(undefined, undefined, (finding) => finding);
    const tried: string[] = [];
    const storedTokens = {
      noteTakenAway: (login: string) => tried.push(login),
      tryThoseOfChangedUsers: () => Promise.resolve(tried.push("all")),
    };
    const writeTargets = new Map([["tenancy", { connection, ledger, target }]]);
    const taken = async (objects: never[] = []) => {
      const context = { planned: { objects }, writeTargets, progress, storedTokens };
      const users = await takeAwayTemporaryPasswords(context as never);
      return { users: users.map(({ login }) => login), told: progress.result([]).diagnostics };
    };
    const hasPassword = () => simulator.records.profile("csi@acme").password !== null;
    return { simulator, ledger, taken, tried, hasPassword };
  }

  test("forgets it, and tries the tokens of its user", async () => {
    const { ledger, taken, tried, hasPassword } = await live();
    expect(await taken()).toEqual({ users: ["csi@acme"], told: [] });
    expect(hasPassword()).toBe(false);
    expect(tried).toEqual(["csi@acme", "all"]);
    expect(ledger.temporaryPasswords.list()).toEqual([]);
  });

  test("or forgets one that somebody else has taken away, and has nobody's tokens tried", async () => {
    const { simulator, ledger, taken, tried } = await live();
    simulator.records.patchProfile("csi@acme", { password: null });
    expect(await taken()).toEqual(NOTHING);
    expect(tried).toEqual(["all"]);
    expect(ledger.temporaryPasswords.list()).toEqual([]);
  });

  test("or says why it cannot, and keeps it in mind", async () => {
    const { simulator, ledger, taken, hasPassword } = await live();
    simulator.fail({ method: "PATCH", status: 403, times: 9 });
    const { users, told } = await taken();
    expect(users).toEqual([]);
    expect(told).toMatchObject([{ severity: "warning", code: "TENANCY_PASSWORD_LEFT" }]);
    expect(printed(told)).toContain("Every apply tries to remove it");
    expect(hasPassword()).toBe(true);
    expect(ledger.temporaryPasswords.list()).toHaveLength(1);
  });

  test("but not where the run sets out to send another one", async () => {
    const { ledger, taken, tried, hasPassword } = await live();
    expect(await taken([objectOf(changeOf("csi@acme"))])).toEqual(NOTHING);
    expect(hasPassword()).toBe(true);
    expect(tried).toEqual(["all"]);
    expect(ledger.temporaryPasswords.list()).toHaveLength(1);
  });

  test("but not one that this run itself has set since the plan", async () => {
    const { ledger, taken, hasPassword } = await live({ set_at: "2026-01-02T09:00:00Z" });
    expect(await taken()).toEqual(NOTHING);
    expect(hasPassword()).toBe(true);
    expect(ledger.temporaryPasswords.list()).toHaveLength(1);
  });

  test("but not one that was forgotten since the plan", async () => {
    const { ledger, taken, hasPassword } = await live();
    for (const one of ledger.temporaryPasswords.list()) ledger.temporaryPasswords.remove(one);
    expect(await taken()).toEqual(NOTHING);
    expect(hasPassword()).toBe(true);
  });
});
