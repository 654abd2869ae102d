/** Changes of whom the run works as: covers src/resources/self-change.ts, besides its own source. */
import { accessChanges, type Change, judge } from "../../../src/plan";
import { UNKNOWN, type ObjectValue } from "../../../src/lib/values";
import { draft, type DraftFacts } from "../../support/drafts";
import { change } from "../../support/plans";

const observedRecord = (id: string) => ({
  id,
  uuid: undefined,
  accountId: "account:1:1",
  seq: 1,
  key: "deployer@ops",
  readAt: 0,
});

/** What the guards say of an update of the caller's profile. */
function harm(before: ObjectValue, after: ObjectValue, facts: DraftFacts = {}, id = "user_profile:1:2") {
  const one = change({
    kind: "user_profile",
    name: "deployer@ops",
    before,
    after,
    observedRecord: observedRecord(id),
  });
  return judge(draft([one], facts)).map(({ code, summary }) => `${code} ${summary}`);
}

const granted = (value: unknown) => ({ permissions: { "realm.manage_accounts": value } }) as ObjectValue;

test("a right counts as taken away where it will be false, unknown, or part of something unknown", () => {
  const taken = [
    expect.stringMatching(
      /^TENANCY_SELF_CHANGE .*the run works with "[^"]+", and this takes its right realm\.manage_accounts/,
    ),
  ];
  expect(harm(granted(true), granted(false))).toEqual(taken);
  expect(harm(granted(true), granted(UNKNOWN))).toEqual(taken);
  expect(harm(granted(true), { permissions: {} })).toEqual(taken);
  expect(harm(granted(true), { permissions: UNKNOWN })).toEqual(taken);
  // The service does not show it: it may be there.
  expect(harm({ permissions: null }, granted(false))).toEqual(taken);
});

test("a right does not count as taken away where it was not there, or is given", () => {
  expect(harm(granted(false), granted(true))).toEqual([]);
  expect(harm(granted(false), { permissions: UNKNOWN })).toEqual([]);
  expect(harm(granted(true), { permissions: {}, undeclared_rights: "keep" })).toEqual([]);
  const kept = { undeclared_rights: "keep" };
  expect(harm({ ...granted(true), ...kept }, { permissions: {}, ...kept })).toEqual([]);
});

test("permissions that become authoritative take away a right that they do not name, which no plan shows", () => {
  const before = { permissions: { "vss.manage_rules": true }, undeclared_rights: "keep" };
  expect(harm(before, { ...before, undeclared_rights: "deny" })).toHaveLength(1);
  const named = { permissions: { "realm.manage_accounts": true, "user.manage_users": true } };
  expect(harm({ ...before, ...named }, { ...named, undeclared_rights: "deny" })).toEqual([]);
});

test("API access that is not known yet counts as taken away", () => {
  expect(harm({ access_api: true, access_web: true }, { access_api: UNKNOWN })).toHaveLength(1);
  expect(harm({ access_api: true, access_web: true }, { access_api: true, access_web: false })).toEqual([]);
});

test("access that is given, or was not there, does not count as taken away, and access that the service does not show may be there", () => {
  expect(harm({ access_api: false }, { access_api: true })).toEqual([]);
  expect(harm({ access_api: false }, { access_api: UNKNOWN })).toEqual([]);
  expect(harm({ access_api: null }, { access_api: true })).toEqual([]);
  expect(harm({ access_api: null }, { access_api: false })).toEqual([
    expect.stringContaining("takes its API access"),
  ]);
});

test("a value that follows another change without being sent does no harm", () => {
  expect(harm({ password_set: true, email: "a" }, { password_set: UNKNOWN, email: "b" })).toEqual([]);
  const before = { two_factor_security_email: "a@ops.example", two_factor_security_email_verified: true };
  const after = { two_factor_security_email: "b@ops.example", two_factor_security_email_verified: UNKNOWN };
  expect(harm(before, after)).toEqual([]);
});

test("another user may lose what it likes, unless it may be the caller", () => {
  expect(harm(granted(true), granted(false), {}, "user_profile:1:1")).toEqual([]);
  const byToken = { login: "", caller: { account: { name: "ops" } } };
  expect(harm(granted(true), granted(false), byToken, "user_profile:1:1")).toHaveLength(1);
  // In no list, so in no account that is known to be the caller's.
  expect(harm(granted(true), granted(false), byToken, "user_profile:1:77")).toEqual([]);
  const elsewhere = {
    ...byToken,
    accounts: [
      { id: "account:1:1", name: "ops" },
      { id: "account:1:9", name: "acme" },
    ],
    profiles: [
      { id: "user_profile:1:1", login: "ops", account_id: "account:1:1" },
      { id: "user_profile:1:9", login: "jane@acme", account_id: "account:1:9" },
    ],
  };
  expect(harm(granted(true), granted(false), elsewhere, "user_profile:1:9")).toEqual([]);
});

test("where not even the caller's account is known, every user may be the caller", () => {
  const unknown = { login: "", caller: {} };
  expect(harm(granted(true), granted(false), unknown, "user_profile:1:1")).toHaveLength(1);
});

describe("an account", () => {
  const ops = (before: ObjectValue, after: ObjectValue | null, id = "account:1:1") =>
    change({ kind: "account", name: "ops", before, after, observedRecord: observedRecord(id) });
  const found = (one: ReturnType<typeof ops>, facts: DraftFacts = {}) =>
    judge(draft([one], { permits: { allowAccountDeletion: true }, ...facts })).map(({ summary }) => summary);
  const primary = { admin_profile_id: "user_profile:1:1" };

  test("that the run works in stays, whoever its primary user is", () => {
    expect(found(ops(primary, null))).toEqual([expect.stringContaining("deletes it")]);
    expect(found(ops(primary, null, "account:1:9"))).toEqual([]);
  });

  test("takes something from the run with its primary user, where the run works as that one", () => {
    const demoted = ops({ ...primary, level: 2 }, { ...primary, level: 1 });
    expect(found(demoted, { login: "ops" })).toEqual([expect.stringContaining("changes its level")]);
    expect(found(demoted)).toEqual([]);
  });
});

test("a password that is taken away is a change of the password", () => {
  expect(harm({ password_set: true }, { password_set: false })).toHaveLength(1);
  expect(harm({ password_wo_version: 1 }, { password_wo_version: 2 })).toHaveLength(1);
});

describe("the run's own token", () => {
  const token = (serial: string, previous: readonly string[], more: ObjectValue = {}): ObjectValue => ({
    login: "deployer@ops",
    name: "ci",
    serial,
    access_token: `1/${serial}`,
    previous: previous.map((one) => ({ serial: one, retired_at: "2026-02-28T12:00:00Z" })),
    ...more,
  });
  const verdict = (before: ObjectValue, after: ObjectValue | null, survey: object = { ownToken: "ATH1" }) =>
    judge(
      draft([change({ kind: "authorization", name: "deployer@ops/ci", before, after })], {
        survey,
      }),
    ).length;
  const rotated = (more: ObjectValue = {}) =>
    token("ATH1", [], { serial: UNKNOWN, previous: UNKNOWN, ...more });

  test("may be rotated with overlap", () => {
    expect(verdict(token("ATH1", []), rotated())).toBe(0);
    expect(verdict(token("ATH1", []), rotated({ retain_previous_for: "0s" }))).toBe(1);
    expect(verdict(token("ATH1", []), rotated({ retain_previous: 0 }))).toBe(1);
  });

  test("may not be revoked as one of the replaced tokens", () => {
    const before = token("ATH2", ["ATH1"]);
    expect(verdict(before, token("ATH2", []))).toBe(1);
    expect(verdict(before, rotated())).toBe(1);
    expect(verdict(before, rotated({ retain_previous: 2 }))).toBe(0);
    expect(verdict(before, null)).toBe(1);
  });

  test("is not touched by an update that leaves the replaced tokens as they are", () => {
    const before = token("ATH2", ["ATH3", "ATH1"]);
    expect(verdict(before, token("ATH2", ["ATH3", "ATH1"], { retain_previous_for: "30d" }))).toBe(0);
    const open = { previous: UNKNOWN, retain_previous: 2, retain_previous_for: UNKNOWN };
    expect(verdict(before, token("ATH2", [], open))).toBe(0);
  });

  test("is named as revoked by the refusal", () => {
    const one = change({
      kind: "authorization",
      name: "deployer@ops/ci",
      before: token("ATH1", []),
      after: null,
    });
    expect(judge(draft([one], { survey: { ownToken: "ATH1" } }))).toMatchObject([
      { summary: expect.stringContaining("revokes it") as string },
    ]);
  });

  test("is not harmed where other tokens are revoked", () => {
    expect(verdict(token("ATH2", ["ATH3"]), null)).toBe(0);
  });

  test("is not taken for a token without a serial, where the run works with none of the state's tokens", () => {
    const { serial: _serial, ...unnumbered } = token("", []);
    expect(verdict(unnumbered, null, { ownToken: undefined })).toBe(0);
  });
});

test("the refusal says where it is: at the resource, and at the attribute if one does it", () => {
  const place = {
    address: "tenancy_user_profile.deployer@ops",
    constructPath: "platform/deployer@ops/Resource",
  };
  const refusal = (after: ObjectValue | null) => {
    const before = { level: 2, permissions: { "user.manage_users": true } };
    const facts = {
      kind: "user_profile",
      name: "deployer@ops",
      observedRecord: observedRecord("user_profile:1:2"),
    } as const;
    return judge(draft([change({ ...facts, before, after })]));
  };
  expect(refusal({ level: 1, permissions: { "user.manage_users": true } })).toMatchObject([
    { ...place, attribute: ["level"] },
  ]);
  expect(refusal({ level: 2, permissions: {} })).toMatchObject([{ ...place, attribute: ["permissions"] }]);
  expect(refusal(null)).toMatchObject([place]);
  expect(refusal(null)[0]).not.toHaveProperty("attribute");
});

describe("what the run works with through another provider of the same service", () => {
  const throughOps = { login: "ops", survey: { provider: "tenancy.b" } };
  const ofOps = (after: ObjectValue | null) =>
    change({
      kind: "user_profile",
      name: "ops",
      before: { ...granted(true), access_api: true, password_wo_version: 1 },
      after,
      observedRecord: observedRecord("user_profile:1:1"),
    });
  const found = (one: Change, ...aliases: NonNullable<DraftFacts["aliases"]>) =>
    judge(draft([one], { aliases, permits: { allowAccountDeletion: true } })).map(({ summary }) => summary);

  test.each([
    ["is not deleted", null, "deletes it"],
    [
      "keeps its API access",
      { ...granted(true), access_api: false, password_wo_version: 1 },
      "takes its API access",
    ],
    [
      "keeps its rights",
      { permissions: {}, access_api: true, password_wo_version: 1 },
      "takes its right realm.manage_accounts",
    ],
    [
      "keeps its password",
      { ...granted(true), access_api: true, password_wo_version: 2 },
      "changes its password",
    ],
  ])("%s, and the refusal names that provider", (_title, after, harm) => {
    expect(found(ofOps(after))).toEqual([]);
    expect(found(ofOps(after), throughOps)).toEqual([
      `the run works with "ops" through tenancy.b, and this ${harm}`,
    ]);
  });

  test("is named with each of these providers, and with none where it is the change's own as well", () => {
    const another = { login: "ops", survey: { provider: "tenancy.c" } };
    expect(found(ofOps(null), throughOps, another)).toEqual([
      'the run works with "ops" through tenancy.b and tenancy.c, and this deletes it',
    ]);
    const own = change({
      kind: "user_profile",
      name: "deployer@ops",
      before: {},
      after: null,
      observedRecord: observedRecord("user_profile:1:2"),
    });
    expect(found(own, { survey: { provider: "tenancy.b" } })).toEqual([
      'the run works with "deployer@ops", and this deletes it',
    ]);
  });

  test("keeps its account", () => {
    const acme = change({
      kind: "account",
      name: "acme",
      before: {},
      after: null,
      observedRecord: observedRecord("account:1:9"),
    });
    const throughAcme = {
      accounts: [{ id: "account:1:9", name: "acme" }],
      profiles: [{ id: "user_profile:1:9", login: "bot@acme", account_id: "account:1:9" }],
      login: "bot@acme",
      survey: { provider: "tenancy.b" },
    };
    expect(found(acme)).toEqual([]);
    expect(found(acme, throughAcme)).toEqual([
      'the run works with "acme" through tenancy.b, and this deletes it',
    ]);
  });

  test("keeps its token", () => {
    const before = { login: "deployer@ops", name: "ci", serial: "ATH1", previous: [] };
    const one = change({ kind: "authorization", name: "deployer@ops/ci", before, after: null });
    expect(found(one, { survey: { provider: "tenancy.b", ownToken: "ATH2" } })).toEqual([]);
    expect(found(one, { survey: { provider: "tenancy.b", ownToken: "ATH1" } })).toEqual([
      'the run works with "deployer@ops/ci" through tenancy.b, and this revokes it',
    ]);
  });

  test("is another user's at another service, although the id is the same", () => {
    const elsewhere = { login: "ops", survey: { provider: "tenancy.b", origin: "https://other.example" } };
    expect(found(ofOps(null), elsewhere)).toEqual([]);
  });
});

test("an object at a service that the plan did not look at is not the run's own", () => {
  const one = change({
    kind: "user_profile",
    name: "deployer@ops",
    provider: "tenancy.elsewhere",
    before: {},
    after: null,
    observedRecord: observedRecord("user_profile:1:2"),
  });
  expect(judge(draft([one]))).toEqual([]);
});

test("--allow-self-change allows all of it", () => {
  expect(harm(granted(true), granted(false), { permits: { allowSelfChange: true } })).toEqual([]);
});

test("the guard does not ask for the state of objects that do not change: for a large stack that takes longer than the plan", () => {
  const settled = change({ kind: "user_profile", name: "deployer@ops", action: "none" });
  const unasked = Object.defineProperty({ ...settled }, "before", {
    get: () => {
      throw new Error("the state was asked for");
    },
  });
  expect(judge(draft([unasked]))).toEqual([]);
  expect(accessChanges([unasked])).toEqual([]);
});
