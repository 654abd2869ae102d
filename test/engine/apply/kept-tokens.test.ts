import {
  EntryList,
  failedRevocationKind,
  type TokenEntry,
  tokenKind,
} from "../../../src/credentials/entries";
import { isOfChangedPassword, KeptTokensTrial } from "../../../src/engine/apply/kept-tokens";
import { Progress } from "../../../src/engine/apply/progress";
import { connected } from "../../support/connections";
import { csiToken, failedRevocation } from "../../credentials/samples";

const ORIGIN = "https://storage.example";
const newPassword = [{ path: ["password_wo_version"], before: 1, after: 2 }];

function changeOf(key: string, more: object = {}) {
  return {
    action: "update",
    key,
    title: key,
    provider: "tenancy",
    before: {},
    attributes: newPassword,
    ...more,
  };
}

/** An object of a run, as far as it matters here. */
function objectOf(change: object, target: object = { origin: ORIGIN, owners: { current: "acme-platform" } }) {
  const instance = { address: "tenancy_user_profile.csi" };
  return {
    resource: { inventory: {} },
    target,
    change,
    block: { type: "tenancy_user_profile" },
    instance,
  } as never;
}

describe("a token is of a changed password", () => {
  const isOf = (change: object, origin = ORIGIN) =>
    isOfChangedPassword(
      { login: "csi@globex", name: "prod" },
      { origin: ORIGIN } as never,
      { objects: [objectOf(changeOf("joe@globex"), { origin }), objectOf(change, { origin })] } as never,
    );

  test.each([
    ["where the run changes its user's", changeOf("csi@globex"), ORIGIN, true],
    ["but not where it changes another user's", changeOf("jane@globex"), ORIGIN, false],
    ["but not where the user is at another service", changeOf("csi@globex"), "https://other.example", false],
    ["but not where the user keeps it", changeOf("csi@globex", { attributes: [] }), ORIGIN, false],
    [
      "but not where the user is made",
      changeOf("csi@globex", { action: "create", before: null }),
      ORIGIN,
      false,
    ],
  ])("%s", (_where, change, origin, is) => {
    expect(isOf(change, origin)).toBe(is);
  });
});

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
      ["tenancy.again", { connection, ledger, target: { ...target, origin } }],
    ]);
    const trial = new KeptTokensTrial({ prunes } as never, writeTargets as never, progress);
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
    expect(await trial.tryAll()).toBe(true);
    expect(told()).toEqual([
      expect.stringMatching(`TENANCY_KEPT_TOKENS_ENDED.*csi@globex/csi-prod \\(${serial}\\)`),
    ]);
    expect(refused()).toMatchObject([{ serial }]);
  });

  test("a kept token that the service accepts stays, without a word", async () => {
    const { trial, written, told, refused, questions } = await run({}, { isGood: true });
    written();
    expect(await trial.tryAll()).toBe(false);
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
    const it = await run(entry === "refused" ? {} : entry, options);
    if (entry === "refused")
      Object.assign(it.token, {
        refused: [
          { serial: "ATH0", refused_at: at },
          { serial: it.serial, refused_at: at },
        ],
      });
    it.written();
    expect(await it.trial.tryAll()).toBe(false);
    expect(it.questions()).toBe(0);
  });

  test("a token that the plan has found refused is not tried", async () => {
    const { trial, written, questions, target, serial } = await run();
    target.refused.add(serial);
    written();
    expect(await trial.tryAll()).toBe(false);
    expect(questions()).toBe(0);
  });

  test("a token of which only an earlier one has ended is tried", async () => {
    const { trial, written } = await run({
      refused: [{ serial: "ATH0", refused_at: "2026-01-02T03:04:05Z" }],
    });
    written();
    expect(await trial.tryAll()).toBe(true);
  });

  test("a token that the run itself tries, mints or revokes is left to that, and a user of its key is none", async () => {
    const owned = { origin: ORIGIN, owners: { current: "acme-platform", previous: [] } };
    const change = { key: "csi@globex/csi-prod" };
    const reached = { resource: {}, target: owned, change };
    const pruned = await run({}, { prunes: [reached] });
    pruned.written();
    expect(await pruned.trial.tryAll()).toBe(false);
    const tried = await run();
    tried.trial.noteReached(reached as never);
    tried.written();
    expect(await tried.trial.tryAll()).toBe(false);
    const other = await run();
    other.trial.noteReached({ ...reached, change: { key: "csi@globex/other" } } as never);
    other.trial.noteReached({ ...reached, resource: { inventory: {} } } as never);
    other.written();
    expect(await other.trial.tryAll()).toBe(true);
  });

  test("nothing is tried where the password is as it was, or the user is new", async () => {
    const { trial, written, questions } = await run();
    written(changeOf("csi@globex", { attributes: [] }));
    written(changeOf("csi@globex", { action: "create", before: null }));
    expect(await trial.tryAll()).toBe(false);
    expect(questions()).toBe(0);
  });

  test("an answer that proves nothing is told with the token, which is not taken for ended", async () => {
    const { trial, written, simulator, told, refused } = await run();
    simulator.fail({ path: "/api/status/authorization", status: 403, times: 9 });
    written();
    expect(await trial.tryAll()).toBe(false);
    expect(told()).toEqual([expect.stringContaining("TENANCY_TOKEN_UNPROVEN")]);
    expect(refused()).toEqual([]);
  });
});
