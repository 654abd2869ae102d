import { type EphemeralPassword, ephemeralPasswordKind, EntryList } from "../../src/credentials/entries";
import {
  forgetReplacedPasswords,
  leftPasswords,
  takeAwayLeftPasswords,
} from "../../src/engine/left-passwords";
import { type Finding, worded, wordsFor } from "../../src/problems";
import { Snapshot } from "../../src/service";
import { connected } from "../support/connections";

const ORIGIN = "https://storage.example";
const left: EphemeralPassword = {
  user_id: "user_profile:1:9",
  login: "csi@acme",
  set_at: "2026-01-02T03:04:05Z",
};
const user = { id: "user_profile:1:9", serial: "USR9", login: "csi@acme", password_set: true };
const declared = { password_wo: "Of her own: 1" };

function ledgerOf(passwords: readonly EphemeralPassword[]) {
  const entries = passwords.map((one) => [one.user_id, one] as const);
  return { ephemeralPasswords: new EntryList(new Map(entries), ephemeralPasswordKind, () => undefined) };
}

function targetOf(
  profiles: readonly object[],
  passwords: readonly EphemeralPassword[] = [left],
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

/** A declared object, as far as it matters here. */
function objectOf(key: string, config: object, { origin = ORIGIN, isToken = false } = {}) {
  return { resource: isToken ? {} : { inventory: {} }, target: { origin }, change: { key }, config };
}

describe("a plan tells of a password that was left", () => {
  const told = (profiles: readonly object[], objects: readonly object[] = []) =>
    leftPasswords({ objects, targets: [targetOf(profiles)] } as never).map(({ code }) => code);

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

  test.each([
    ["which the stack replaces", [objectOf("csi@acme", declared)], false],
    [
      "whose user is declared without one",
      [objectOf("csi@acme", { password_wo: null }), objectOf("csi@acme", {})],
      true,
    ],
    [
      "whose user is declared at another service",
      [objectOf("csi@acme", declared, { origin: "https://other.example" })],
      true,
    ],
    ["beside a token of that name", [objectOf("csi@acme", declared, { isToken: true })], true],
    ["beside other users", [objectOf("jane@acme", declared)], true],
    [
      "which the stack replaces, beside other users",
      [objectOf("jane@acme", {}), objectOf("csi@acme", declared)],
      false,
    ],
  ])("%s", (_where, objects, isTold) => {
    expect(told([user], objects)).toEqual(isTold ? ["TENANCY_PASSWORD_LEFT"] : []);
  });

  test("but not where the stack replaces it and writes the login in composed letters", () => {
    const login = "jose\u0301@acme";
    const targets = [targetOf([{ ...user, login }], [{ ...left, login }])];
    const objects = [objectOf(login.normalize("NFC"), declared)];
    expect(leftPasswords({ objects: [], targets } as never)).toHaveLength(1);
    expect(leftPasswords({ objects, targets } as never)).toEqual([]);
  });

  test("once, where two providers share it, and that an apply removes it", () => {
    const targets = [targetOf([user]), targetOf([user])];
    const found = leftPasswords({ objects: [], targets } as never);
    expect(found).toHaveLength(1);
    expect(printed(found)).toContain("every apply tries to remove it");
  });
});

test("of the passwords that were left, an apply forgets those that the stack declares, and no others", () => {
  const other = { ...left, user_id: "user_profile:1:8", login: "jane@acme" };
  const ledger = ledgerOf([left, other]);
  const target = targetOf([user]);
  forgetReplacedPasswords(
    { objects: [objectOf("csi@acme", declared)] } as never,
    new Map([["tenancy", { ledger, target }]]) as never,
  );
  expect(ledger.ephemeralPasswords.list()).toEqual([other]);
});

describe("an apply takes away a password that was left", () => {
  async function live(noted: Partial<EphemeralPassword> = {}) {
    const { simulator, connection } = await connected();
    simulator.records.createAccount({ name: "acme" });
    const { id } = simulator.records.createProfile("acme", { username: "csi", password: "left-left-left" });
    const planned = { ...left, user_id: id };
    const ledger = ledgerOf([{ ...planned, ...noted }]);
    const taken = () =>
      takeAwayLeftPasswords([{ connection, ledger, target: targetOf([], [planned]) }] as never);
    const hasPassword = () => simulator.records.profile("csi@acme").password !== null;
    return { simulator, ledger, taken, hasPassword };
  }

  test("and forgets it", async () => {
    const { ledger, taken, hasPassword } = await live();
    expect(await taken()).toEqual([]);
    expect(hasPassword()).toBe(false);
    expect(ledger.ephemeralPasswords.list()).toEqual([]);
  });

  test("or says why it cannot, and keeps it in mind", async () => {
    const { simulator, ledger, taken, hasPassword } = await live();
    simulator.fail({ method: "PATCH", status: 403, times: 9 });
    const found = await taken();
    expect(found).toMatchObject([{ severity: "warning", code: "TENANCY_PASSWORD_LEFT" }]);
    expect(printed(found)).toContain("every apply tries to remove it");
    expect(hasPassword()).toBe(true);
    expect(ledger.ephemeralPasswords.list()).toHaveLength(1);
  });

  test("but not one that this run itself has set since the plan", async () => {
    const { ledger, taken, hasPassword } = await live({ set_at: "2026-01-02T09:00:00Z" });
    expect(await taken()).toEqual([]);
    expect(hasPassword()).toBe(true);
    expect(ledger.ephemeralPasswords.list()).toHaveLength(1);
  });

  test("but not one that was forgotten since the plan", async () => {
    const { ledger, taken, hasPassword } = await live();
    for (const one of ledger.ephemeralPasswords.list()) ledger.ephemeralPasswords.remove(one);
    expect(await taken()).toEqual([]);
    expect(hasPassword()).toBe(true);
  });
});
