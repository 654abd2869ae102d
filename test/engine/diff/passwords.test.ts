import { type TemporaryPassword, temporaryPasswordKind, EntryList } from "../../../src/credentials/entries";
import { warnTemporaryPasswords, updatePasswordOf } from "../../../src/engine/diff/passwords";
import { type Finding, worded, wordsFor } from "../../../src/problems";
import { Snapshot } from "../../../src/service";

const ORIGIN = "https://storage.example";
const left: TemporaryPassword = {
  user_id: "user_profile:1:9",
  login: "csi@acme",
  set_at: "2026-01-02T03:04:05Z",
};
const user = { id: "user_profile:1:9", serial: "USR9", login: "csi@acme", password_set: true };
const newPassword = [{ path: ["password_wo_version"], before: 1, after: 2 }];

function ledgerOf(passwords: readonly TemporaryPassword[]) {
  const entries = passwords.map((one) => [one.user_id, one] as const);
  return { temporaryPasswords: new EntryList(new Map(entries), temporaryPasswordKind, () => undefined) };
}

function targetOf(
  profiles: readonly object[],
  passwords: readonly TemporaryPassword[] = [left],
  origin = ORIGIN,
) {
  const snapshot = new Snapshot({
    accounts: [],
    profiles: profiles as never,
    caller: {},
    callerProfile: undefined,
  });
  return {
    origin,
    owners: { current: "acme-platform", previous: [] },
    snapshot,
    ledger: ledgerOf(passwords),
  };
}

/** What the user reads. */
const printed = (findings: readonly Finding[]) => JSON.stringify(worded(findings, wordsFor(undefined)));

/** An object of a run, as far as it matters here. */
function objectOf(key: string, change: object = {}, origin = ORIGIN) {
  return {
    target: { origin },
    change: { action: "update", key, before: {}, attributes: newPassword, ...change },
  } as never;
}

describe("a run updates the password of a user", () => {
  test.each([
    ["where it sends another one", [objectOf("csi@globex")], true],
    ["also among other objects", [objectOf("jane@globex"), objectOf("csi@globex")], true],
    ["but not where it is another user's", [objectOf("jane@globex")], false],
    ["but not at another service", [objectOf("csi@globex", {}, "https://other.example")], false],
    ["but not where the user keeps it", [objectOf("csi@globex", { attributes: [] })], false],
    ["but not where the user is made", [objectOf("csi@globex", { action: "create", before: null })], false],
  ])("%s", (_where, objects, is) => {
    expect(updatePasswordOf("csi@globex", { origin: ORIGIN } as never, objects)).toBe(is);
  });
});

describe("a plan tells of a password that was left", () => {
  const told = (profiles: readonly object[]) =>
    warnTemporaryPasswords([targetOf(profiles)] as never, []).map(({ code }) => code);

  test.each([
    ["where its user has one", [user], true],
    [
      "where the service does not show whether its user has one",
      [{ ...user, password_set: undefined }],
      true,
    ],
    [
      "which was noted under the user's serial number",
      [{ ...user, id: "user_profile:1:1", serial: left.user_id }],
      true,
    ],
    ["but not where its user has none", [{ ...user, password_set: false }], false],
    ["but not where its user is gone", [], false],
    [
      "but not where another user has the login",
      [{ ...user, id: "user_profile:2:1", serial: "USR2" }],
      false,
    ],
  ])("%s", (_where, profiles, isTold) => {
    expect(told(profiles)).toEqual(isTold ? ["TENANCY_PASSWORD_LEFT"] : []);
  });

  test("but not where the run sends another one, also if the login is written in composed letters", () => {
    const login = "jose\u0301@acme";
    const targets = [targetOf([{ ...user, login }], [{ ...left, login }])] as never;
    expect(warnTemporaryPasswords(targets, [objectOf("jane@acme")])).toHaveLength(1);
    expect(warnTemporaryPasswords(targets, [objectOf(login.normalize("NFC"))])).toEqual([]);
  });

  test("and that an apply removes it", () => {
    const targets = [targetOf([user])];
    const found = warnTemporaryPasswords(targets as never, []);
    expect(found).toHaveLength(1);
    expect(printed(found)).toContain("Every apply tries to remove it");
  });
});
