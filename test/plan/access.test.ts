/** Covers src/plan/access.ts, src/plan/access-entry.ts, src/plan/access-of-tokens.ts and src/plan/rights.ts. */
import fc from "fast-check";
import { accessChanges, bearsOnAccess, byDanger, isBroadening } from "../../src/plan/access";
import { accessText } from "../../src/plan/access-entry";
import type { AccessChange, AccessEffect } from "../../src/plan/plan";
import { inOrderOfRights, presetText } from "../../src/plan/rights";
import { account } from "../../src/resources/account/description";
import { authorization } from "../../src/resources/authorization/description";
import { families } from "../../src/resources/registry";
import { userProfile } from "../../src/resources/user-profile/description";
import { PRESETS } from "../../src/resources";
import { ALL_RIGHTS, DEFAULT_RIGHTS } from "../../src/service";
import { UNKNOWN, type ObjectValue, type Value } from "../../src/lib/values";
import { change, type ChangeFacts } from "../support/plans";

const NOON = new Date("2026-03-01T12:00:00.000Z");

const of = (facts: Omit<ChangeFacts, "name">) => accessChanges([change({ name: "acme", ...facts })], NOON);

/** What each entry does, in words. */
const said = (facts: Omit<ChangeFacts, "name">) =>
  of(facts).flatMap(({ entries }) => entries.map((one) => `${one.effect}: ${accessText(one)}`));

const textsOf = (row: AccessChange | undefined, effect: AccessEffect) =>
  row?.entries.filter((one) => one.effect === effect).map(accessText);

/** The marks of each entry that has some. */
const marked = (row: AccessChange | undefined) =>
  Object.fromEntries(
    (row?.entries ?? []).flatMap((one) => (one.marks.length > 0 ? [[accessText(one), one.marks]] : [])),
  );

const rights = (vss: ObjectValue): ObjectValue =>
  Object.fromEntries(Object.entries(vss).map(([name, value]) => [`vss.${name}`, value]));

test("the primary profile of an account that declares no permissions gets 39 rights, and the plan says so", () => {
  const [row] = of({
    kind: "account",
    after: { name: "acme", permissions: UNKNOWN, access_api: UNKNOWN, vss_scope: UNKNOWN },
    declared: new Set(["name"]),
  });
  expect(textsOf(row, "grants")).toEqual([...DEFAULT_RIGHTS, "vss_scope *", "API access"]);
  expect(row?.entries.every(({ byDefault }) => byDefault)).toBe(true);
  expect(row).toMatchObject({ effect: "grants", rights: "account_admin" });
  expect(marked(row)).toMatchObject({
    "vss.remove_vss": ["destructive"],
    "user.manage_users": ["privileged"],
  });
});

test("a user that is created to keep undeclared rights gets those of the service's default besides", () => {
  const [row] = of({
    kind: "user_profile",
    after: { username: "jane", permissions: rights({ format_disks: false }), undeclared_rights: "keep" },
    declared: new Set(["username", "permissions", "undeclared_rights"]),
  });
  expect(textsOf(row, "grants")).toContain("vss.remove_vss");
  expect(textsOf(row, "grants")).not.toContain("vss.format_disks");
});

test("a profile whose rights nobody declares is a row with what it holds, although nothing changes", () => {
  const state = { permissions: { "user.manage_users": true, "vss.remove_vss": false } };
  const declared = new Set(["username"]);
  const facts = { kind: "user_profile", action: "none", before: state, after: state, declared } as const;
  expect(of(facts)).toMatchObject([{ action: "none", effect: "stays", rights: null }]);
  expect(said(facts)).toEqual(["stays: user.manage_users"]);
  // A password that is to stay away is not taken away once more.
  expect(
    said({
      ...facts,
      before: { ...state, unset: ["password_wo"] },
      after: { ...state, unset: ["password_wo"] },
    }),
  ).toHaveLength(1);
});

test("permissions that are declared and not known yet are open", () => {
  expect(said({ kind: "user_profile", after: { username: "jane", permissions: UNKNOWN } })).toEqual([
    "unknown: permissions (known after apply)",
  ]);
});

test("a right that is not known yet is neither gained nor lost, and said to be open", () => {
  const before = { permissions: rights({ manage_targets: true, remove_vss: false }) };
  const after = { permissions: rights({ manage_targets: UNKNOWN, remove_vss: true }) };
  expect(said({ kind: "user_profile", before, after })).toEqual([
    "grants: vss.remove_vss",
    "unknown: vss.manage_targets (known after apply)",
  ]);
});

test("rights that destroy and rights that take over others are marked, and one that only looks is not", () => {
  const permissions = {
    "realm.manage_accounts": true,
    "realm.view_logs": true,
    "user.reset_user_password": true,
  };
  expect(marked(of({ kind: "user_profile", after: { username: "jane", permissions } })[0])).toEqual({
    "realm.manage_accounts": ["destructive", "privileged"],
    "user.reset_user_password": ["privileged"],
  });
});

test("rights that were kept undeclared, and that exact permissions take away, are lost", () => {
  const permissions = rights({ manage_targets: true });
  expect(
    said({
      kind: "user_profile",
      before: { permissions, undeclared_rights: "keep" },
      after: { permissions, undeclared_rights: "deny" },
      granted: ["vss.manage_targets", "vss.remove_vss"],
    }),
  ).toEqual(["removes: vss.remove_vss"]);
});

test("who is deleted loses all that lets somebody in, and no word is said of what guarded it", () => {
  const before = {
    permissions: { "node.manage_storage": true },
    node_scope: ["*"],
    vss_scope: ["*"],
    access_web: true,
    access_api: false,
    activated: true,
    allow_su: true,
    level: 3,
    two_factor_auth: "google",
    two_factor_security_email: "a@x.example",
    two_factor_secret_wo_version: 1,
    password_set: true,
    password_wo_version: 1,
  };
  expect(of({ kind: "user_profile", before })[0]).toMatchObject({ effect: "removes", rights: null });
  const losses = ["removes: node.manage_storage", "removes: node_scope *", "removes: web access"];
  expect(said({ kind: "user_profile", before })).toEqual(losses);
  // Also where nobody has declared the rights.
  expect(said({ kind: "user_profile", before, declared: new Set(["username"]) })).toEqual(losses);
});

test("who is created gains what is declared, and loses nothing that was not there", () => {
  const permissions = { "vss.remove_vss": false, "account.view_events": true };
  const created = {
    permissions,
    vss_scope: ["a"],
    access_web: false,
    access_api: true,
    allow_su: false,
    level: 3,
    two_factor_auth: "google",
    two_factor_security_email: UNKNOWN,
    two_factor_secret_wo_version: 1,
    password_wo_version: 1,
    unset: [],
  };
  const declared = new Set(Object.keys(created));
  declared.delete("two_factor_security_email");
  const [row] = of({ kind: "user_profile", after: created, declared });
  expect(row?.entries.some(({ byDefault }) => byDefault)).toBe(false);
  expect(said({ kind: "user_profile", after: created, declared })).toEqual([
    "grants: account.view_events",
    "grants: API access",
    "grants: level 3",
    "removes: access without a second factor (now google)",
    "grants: a first password",
  ]);
  expect(said({ kind: "account", after: { permissions, activated: false, unset: ["password_wo"] } })).toEqual(
    ["grants: account.view_events"],
  );
});

test("the scope of somebody new is told where there may be a right that it is for", () => {
  const told = (permissions: Value) =>
    said({ kind: "user_profile", after: { permissions, vss_scope: ["a"] } }).filter((one) =>
      one.includes("vss_scope"),
    );
  const expected = ["grants: vss_scope a"];
  expect(told({ "vss.remove_vss": true })).toEqual(expected);
  expect(told({ "vss.remove_vss": UNKNOWN })).toEqual(expected);
  expect(told(UNKNOWN)).toEqual(expected);
  expect(told({ "vss.remove_vss": false, "account.view_events": true })).toEqual([]);
});

test("who is replaced gets what the service gives to somebody new, not what the one before had", () => {
  const before = {
    permissions: rights({ manage_targets: true }),
    vss_scope: ["a"],
    two_factor_auth: "google",
    access_web: false,
    access_api: true,
  };
  const undeclared = Object.fromEntries(Object.keys(before).map((name) => [name, UNKNOWN]));
  const [row] = of({
    kind: "user_profile",
    action: "replace",
    before,
    after: { ...undeclared, access_api: false },
    declared: new Set(["username", "access_api"]),
  });
  expect(row?.rights).toBe("account_admin");
  expect(textsOf(row, "grants")).toEqual([
    ...DEFAULT_RIGHTS.filter((right) => right !== "vss.manage_targets"),
    "vss_scope *",
    "web access",
    "access without a second factor (was google)",
  ]);
  expect(textsOf(row, "removes")).toEqual(["API access"]);
  expect(row?.entries.map(({ thing, byDefault }) => [thing, byDefault])).toEqual(
    expect.arrayContaining([
      [{ permission: "vss.remove_vss", until: "never" }, true],
      [{ two_factor: "none", until: "never" }, false],
    ]),
  );
});

test("who is replaced is activated again, and open to administrators, where neither is declared", () => {
  const before = { permissions: {}, activated: false, allow_su: false };
  const facts = {
    kind: "user_profile",
    action: "replace",
    before,
    after: { permissions: {}, activated: UNKNOWN, allow_su: UNKNOWN },
    declared: new Set(["username", "permissions"]),
  } as const;
  expect(said(facts)).toEqual(["grants: activation", "grants: switching to it by administrators"]);
  expect(of(facts)[0]?.entries.every(({ byDefault }) => byDefault)).toBe(true);
  // Nothing that held somebody back is lost.
  expect(said({ ...facts, before: { permissions: {}, activated: true, allow_su: true } })).toEqual([]);
  expect(said({ ...facts, before: { permissions: {} } })).toEqual([]);
  // What is declared is told as declared, and an update leaves the rest as it is.
  expect(
    said({
      ...facts,
      after: { ...facts.after, allow_su: false },
      declared: new Set(["username", "permissions", "allow_su"]),
    }),
  ).toEqual(["grants: activation"]);
  const opened = of({
    ...facts,
    after: { ...facts.after, allow_su: true },
    declared: new Set(["username", "permissions", "allow_su"]),
  });
  expect(opened[0]?.entries.map(({ byDefault }) => byDefault)).toEqual([true, false]);
  expect(said({ ...facts, action: "update" })).toEqual([]);
});

test("an account that is replaced gets an activated primary user profile, where that is not declared", () => {
  const facts = {
    kind: "account",
    action: "replace",
    before: { name: "acme", permissions: {}, activated: false },
    after: { name: "globex", permissions: {}, activated: UNKNOWN },
    declared: new Set(["name", "permissions"]),
  } as const;
  expect(said(facts)).toEqual(["grants: activation"]);
});

test("what a change leaves undeclared is not told, although only the apply will know it", () => {
  const before = { permissions: rights({ remove_vss: true }), access_web: true, vss_scope: ["a"], xref: "a" };
  const after = { ...before, access_web: UNKNOWN, vss_scope: UNKNOWN, xref: "b" };
  const facts = { kind: "user_profile", before, after } as const;
  expect(said({ ...facts, declared: new Set(["permissions", "xref"]) })).toEqual([]);
  expect(of({ ...facts, declared: new Set(["xref"]) })).toMatchObject([{ effect: "stays", rights: null }]);
});

test("where one change does several things to a user, its row says the first of: grants, unknown, changes, removes", () => {
  const facts = {
    kind: "user_profile",
    before: { permissions: rights({ remove_vss: true }), level: 1, password_set: true },
  } as const;
  const effectOf = (after: ObjectValue) => of({ ...facts, after })[0];
  const less = { permissions: {}, level: 1, password_set: true };
  expect(effectOf(less)).toMatchObject({ effect: "removes" });
  expect(effectOf({ ...less, password_wo_version: 1 })).toMatchObject({ effect: "changes" });
  expect(effectOf({ ...less, password_wo_version: 1, allow_su: UNKNOWN })).toMatchObject({
    effect: "unknown",
  });
  expect(effectOf({ ...less, password_wo_version: 1, allow_su: UNKNOWN, level: 2 })).toMatchObject({
    effect: "grants",
  });
});

test("a change that bears on nobody's access has no row", () => {
  const permissions = rights({ manage_targets: true });
  expect(
    of({ kind: "user_profile", before: { permissions, xref: "a" }, after: { permissions, xref: "b" } }),
  ).toEqual([]);
});

test.each<readonly [string, ObjectValue, ObjectValue, readonly string[]]>([
  [
    "a scope that grows by an id",
    { vss_scope: ["vss:1:1"] },
    { vss_scope: ["vss:1:1", "vss:1:2"] },
    ["grants: vss_scope vss:1:2"],
  ],
  [
    "a scope that takes in everything",
    { node_scope: ["n"] },
    { node_scope: ["*"] },
    ["grants: node_scope *"],
  ],
  [
    "a scope that shrinks from everything to some",
    { vss_scope: ["*"] },
    { vss_scope: ["a", "b"] },
    ["removes: vss_scope * but a, b"],
  ],
  [
    "a scope that moves",
    { vss_scope: ["a"] },
    { vss_scope: ["b"] },
    ["grants: vss_scope b", "removes: vss_scope a"],
  ],
  ["a higher level", { level: 1 }, { level: 9 }, ["grants: level 1 -> 9"]],
  [
    "a user that administrators may switch to",
    { allow_su: false },
    { allow_su: true },
    ["grants: switching to it by administrators"],
  ],
  ["web access", { access_web: false }, { access_web: true }, ["grants: web access"]],
  [
    "a second factor that is taken away",
    { two_factor_auth: "google" },
    { two_factor_auth: "none" },
    ["grants: access without a second factor (was google)"],
  ],
  ["a first password", { password_set: false }, { password_wo_version: 1 }, ["grants: a first password"]],
  [
    "a new password",
    { password_set: true, password_wo_version: 1 },
    { password_wo_version: 2 },
    ["changes: a new password"],
  ],
  [
    "another address for recovery",
    { two_factor_security_email: "a@x.example" },
    { two_factor_security_email: "b@x.example" },
    ["changes: another security e-mail address"],
  ],
  [
    "a level that only apply will know",
    { level: 1 },
    { level: UNKNOWN },
    ["unknown: level 1 -> (known after apply)"],
  ],
  ["a level in place of one that is not shown", {}, { level: 5 }, ["changes: level 5"]],
  [
    "a scope that shrinks from everything to nothing",
    { vss_scope: ["*"] },
    { vss_scope: [] },
    ["removes: vss_scope *"],
  ],
  [
    "scopes that only apply will know",
    { vss_scope: ["a"], node_scope: [] },
    { vss_scope: UNKNOWN, node_scope: ["a", UNKNOWN] },
    ["unknown: vss_scope (known after apply)", "unknown: node_scope (known after apply)"],
  ],
  [
    "flags that only apply will know",
    { access_web: true, access_api: false },
    { access_web: UNKNOWN, access_api: UNKNOWN, allow_su: UNKNOWN },
    [
      "unknown: web access (known after apply)",
      "unknown: API access (known after apply)",
      "unknown: switching to it by administrators (known after apply)",
    ],
  ],
  [
    "flags that are denied, and were not shown",
    {},
    { access_web: false, allow_su: false },
    ["removes: web access", "removes: switching to it by administrators"],
  ],
  [
    "another second factor, with secrets of its own",
    { two_factor_auth: "google", two_factor_secret_wo_version: 1 },
    {
      two_factor_auth: "yubikey",
      two_factor_secret_wo_version: 2,
      two_factor_private_id_wo_version: UNKNOWN,
    },
    [
      "changes: second factor google -> yubikey",
      "changes: a new secret of the second factor",
      "unknown: a new private id of the second factor (known after apply)",
    ],
  ],
  [
    "a second factor that only apply will know",
    { two_factor_auth: "google" },
    { two_factor_auth: UNKNOWN },
    ["unknown: second factor google -> (known after apply)"],
  ],
  [
    "no second factor where none was",
    { two_factor_secret_wo_version: 1 },
    { two_factor_auth: "none", two_factor_secret_wo_version: null },
    [],
  ],
  [
    "a first password after one that was taken away",
    { password_set: false, password_wo_version: 1 },
    { password_wo_version: 2 },
    ["grants: a first password"],
  ],
  [
    "a password in place of one that was set elsewhere",
    { password_set: true },
    { password_wo_version: 1 },
    ["changes: a new password"],
  ],
  [
    "a password in place of one that is not shown",
    { password_wo_version: 1 },
    { password_wo_version: 2 },
    ["changes: a new password"],
  ],
  ["a password where nothing tells of one", {}, { password_wo_version: 1 }, ["grants: a first password"]],
  [
    "a password that only apply will know",
    { password_wo_version: 1 },
    { password_wo_version: UNKNOWN },
    ["unknown: perhaps a new password (known after apply)"],
  ],
  [
    "a password that nobody has declared, and that is taken away",
    { password_set: true },
    { unset: ["password_wo"] },
    ["removes: its password"],
  ],
  ["no password that is away already", { password_set: false }, { unset: ["password_wo"] }, []],
  [
    "no password that stays, or is only declared no longer",
    { password_set: true, password_wo_version: 1, xref: "a" },
    { password_set: true, xref: "b" },
    [],
  ],
])("access holds %s", (_what, before, after, expected) => {
  expect(said({ kind: "user_profile", before, after })).toEqual(expected);
});

test("a changed activation is recorded alone, so it changes no access", () => {
  const told = (from: Value, to: Value) =>
    said({ kind: "account", before: { activated: from }, after: { activated: to } });
  expect([told(false, true), told(true, false)]).toEqual([[], []]);
});

test("values that come from something sensitive are not in it", () => {
  const facts = { kind: "user_profile", sensitive: [["vss_scope"], ["level"]] } as const;
  const before = { vss_scope: [], level: 1, node_scope: [] };
  const after = { vss_scope: ["s3cret"], level: 77, node_scope: ["n"] };
  const texts = said({ ...facts, before, after });
  expect(texts).toHaveLength(3);
  expect(texts.join()).not.toMatch(/s3cret|77/);
  const things = (one: Omit<ChangeFacts, "name">) => JSON.stringify(of(one));
  expect(things({ ...facts, before, after })).not.toMatch(/s3cret|77/);
  expect(things({ kind: "user_profile", before, after })).toMatch(/s3cret.*77/);
});

// Each attribute of each resource either bears on access or is listed here with those that do not.
const HARMLESS = [
  /^(username|name|account_id|uuid|user_uuid|id|serial|ctime|login|usage_id|admin_profile_id)$/,
  /^(email|email_notify|email_verify|email_verified|sms|sms_notify|sms_verify|sms_valid|host|template)$/,
  /^(app_default|xmd_refs|xref|unset|primary_contact|billing_contact)$/,
  /^(limits|provisioning)_/,
  /^(deletion_protection|allow_nonempty_delete)$/,
  // Computed: what the service says of the declared ones.
  /^(password_set|account_admin|disabled|two_factor_security_email_verified)$/,
  // Write-only values: their version says when they are sent.
  /_wo$/,
  // How the provider logs in to create a token.
  /^login_with$/,
  // A rotation by age changes nothing of what the token may do.
  /^rotate_after$/,
  // What the service says of a token.
  /^(user_id|app_id|access_type|restrict|lifetime|expires_in|access_token|access_token_sealed|access_token_digest|created_at|previous)$/,
];

const RESOURCES = { account, user_profile: userProfile, authorization };

/** All attributes of all resources, as `[kind, name]`. */
const ATTRIBUTES = Object.entries(RESOURCES).flatMap(([kind, { attributes }]) =>
  Object.keys(attributes).map((name) => [kind as keyof typeof RESOURCES, name] as const),
);

test("no resource is missing from these tests", () => {
  const types = families.flatMap(({ resource }) =>
    resource === undefined ? [] : [resource.description.type],
  );
  expect(
    Object.values(RESOURCES)
      .map(({ type }) => type)
      .sort(),
  ).toEqual([...types].sort());
});

test("every attribute of every resource is known to bear on access, or not to", () => {
  const undecided = ATTRIBUTES.filter(
    // Of a token, a change of the password's version sends nothing.
    ([, name]) => bearsOnAccess(name) === HARMLESS.some((pattern) => pattern.test(name)),
  );
  expect(undecided).toEqual([]);
});

test("no change of an attribute that is listed as harmless makes a row of access", () => {
  const value = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant(null), fc.constant(UNKNOWN));
  const harmless = ATTRIBUTES.filter(([, name]) => !bearsOnAccess(name));
  // A new token is a row by its secret, and a retired one by its absence from `previous`.
  const changed = harmless.filter(
    ([, name]) => !["access_token", "access_token_sealed", "previous"].includes(name),
  );
  fc.assert(
    fc.property(fc.constantFrom(...changed), value, value, ([kind, name], from, to) => {
      expect(said({ kind, before: { [name]: from }, after: { [name]: to } })).toEqual([]);
    }),
  );
});

const flag = fc.boolean();
const scope = fc.oneof(
  fc.constant(["*"]),
  fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 0, maxLength: 3 }),
);
const permissions = fc.dictionary(fc.constantFrom(...ALL_RIGHTS.slice(0, 12)), flag);

/** For each attribute, what it can be; `kind` where it is not a user's. */
interface Drawn {
  readonly values: fc.Arbitrary<Value>;
  readonly kind?: keyof typeof RESOURCES;
}

const VALUES: Readonly<Record<string, Drawn>> = {
  permissions: { values: permissions },
  vss_scope: { values: scope },
  node_scope: { values: scope },
  level: { values: fc.integer({ min: 0, max: 5 }) },
  allow_su: { values: flag },
  access_web: { values: flag },
  access_api: { values: flag },
  activated: { values: flag, kind: "account" },
  two_factor_auth: { values: fc.constantFrom("none", "google", "yubikey") },
  two_factor_security_email: { values: fc.constantFrom(null, "a@x.example", "b@x.example") },
  retain_previous_for: { values: fc.constantFrom("0s", "1d", "24h", "7d", "3650d"), kind: "authorization" },
  retain_previous: { values: fc.integer({ min: 0, max: 5 }), kind: "authorization" },
  seal_to: { values: fc.constantFrom(null, ["age1a"], ["age1b"], ["age1b", "age1a"]), kind: "authorization" },
  two_factor_otp_wo_version: { values: fc.integer({ min: 1, max: 3 }) },
  two_factor_secret_wo_version: { values: fc.integer({ min: 1, max: 3 }) },
  two_factor_private_id_wo_version: { values: fc.integer({ min: 1, max: 3 }) },
  password_wo_version: { values: fc.integer({ min: 1, max: 3 }) },
};

test("every attribute that bears on access has values that the next test draws from", () => {
  const bearing = new Set(ATTRIBUTES.map(([, name]) => name).filter(bearsOnAccess));
  bearing.delete("undeclared_rights");
  // A change of keepers is a row by the new token that follows from it.
  bearing.delete("keepers");
  // Ends belong to what ends: they have tests of their own below.
  for (const name of ["permissions_until", "access_until", "ended"]) bearing.delete(name);
  expect([...bearing].sort()).toEqual(Object.keys(VALUES).sort());
});

test.each(
  Object.entries(VALUES).map(
    ([name, { values, kind = "user_profile" as const }]) => [name, { values, kind }] as const,
  ),
)(
  "between two values of %s one way grants and the other removes access, or both only change",
  (name, { values, kind }) => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const effects = (from: Value, to: Value) =>
          of({
            kind,
            before: { [name]: from, password_set: true },
            after: { [name]: to, password_set: true },
          })
            .flatMap(({ entries }) => entries.map(({ effect }) => effect))
            .sort();
        const [there, back] = [effects(a, b), effects(b, a)];
        const turned = there.map(
          (effect) => ({ grants: "removes", removes: "grants" })[effect as string] ?? effect,
        );
        // A list of some in place of everything is one thing less; everything in place of them is one thing more.
        expect([...new Set(turned)].sort()).toEqual([...new Set(back)]);
        const isSame = of({ kind, before: { [name]: a }, after: { [name]: b } }).length === 0;
        expect(there.length === 0).toBe(isSame);
      }),
    );
  },
);

test("a longer retention of replaced tokens grants access, and a retention known after apply may", () => {
  const kind = "authorization";
  const for7d = { retain_previous_for: "7d" };
  expect(said({ kind, before: for7d, after: { retain_previous_for: "3650d" } })).toEqual([
    "grants: time for which replaced tokens stay valid: 3650d",
  ]);
  expect(said({ kind, before: for7d, after: { retain_previous_for: "168h" } })).toEqual([]);
  expect(said({ kind, before: for7d, after: { retain_previous_for: UNKNOWN } })).toEqual([
    "unknown: time for which replaced tokens stay valid: (known after apply)",
  ]);
  expect(said({ kind, before: { retain_previous: 1 }, after: { retain_previous: 5 } })).toEqual([
    "grants: replaced tokens that stay valid: up to 5",
  ]);
  expect(
    said({ kind, before: for7d, after: { retain_previous_for: "9d" }, sensitive: [["retain_previous_for"]] }),
  ).toEqual(["grants: time for which replaced tokens stay valid: (sensitive value)"]);
});

test("a declared password that is taken away removes access", () => {
  expect(
    said({
      kind: "user_profile",
      before: { password_set: true, password_wo_version: 1 },
      after: { password_set: false, unset: ["password_wo"] },
    }),
  ).toEqual(["removes: its password"]);
});

test("a token is access when it comes and when it goes", () => {
  const token = { login: "csi@acme", name: "csi" };
  expect(said({ kind: "authorization", after: token })).toEqual(["grants: a token"]);
  expect(said({ kind: "authorization", before: token })).toEqual(["removes: its token"]);
  expect(said({ kind: "authorization", before: token, after: token, action: "replace" })).toEqual([
    "grants: a token",
    "removes: its token",
  ]);
  expect(of({ kind: "authorization", before: token, after: token, action: "none" })).toEqual([]);
});

test("a rotation is told as what it does to each token", () => {
  const token = {
    login: "csi@acme",
    name: "csi",
    serial: "ATH2",
    retain_previous: 1,
    retain_previous_for: "7d",
  };
  const before = {
    ...token,
    access_token: "1/s3cret",
    previous: [{ serial: "ATH1", retired_at: "2026-02-27T12:00:00.000Z" }],
  };
  const rotate = (facts: ObjectValue = {}) =>
    said({
      kind: "authorization",
      before: { ...before, ...facts },
      after: { ...token, access_token: UNKNOWN, ...facts },
    });
  expect(rotate()).toEqual([
    "changes: a new token; the old one stays valid for 7d; an earlier one (ATH1) is revoked at once",
  ]);
  expect(rotate({ retain_previous: 2 })).toEqual([
    "changes: a new token; the old one stays valid for 7d; an earlier one (ATH1) until 2026-03-06T12:00:00.000Z",
  ]);
  expect(rotate({ retain_previous_for: "0s" })).toEqual([
    "changes: a new token; the old one is revoked at once; an earlier one (ATH1) is revoked at once",
  ]);
  const previous = [{ serial: "ATH1" }, { serial: "ATH0" }, { serial: null }];
  const retire = (left: Value) =>
    said({ kind: "authorization", before: { ...before, previous }, after: { ...before, previous: left } });
  expect(retire(previous.slice(0, 1))).toEqual([
    "removes: its replaced token ATH0",
    "removes: its token (a replaced one)",
  ]);
  expect(retire(UNKNOWN)).toEqual([
    "removes: its replaced token ATH1 (perhaps)",
    "removes: its replaced token ATH0 (perhaps)",
    "removes: its token (a replaced one, perhaps)",
  ]);
});

test("what may let somebody do more counts as broadening, also where it is not known", () => {
  const broadening = (before: ObjectValue, after: ObjectValue) =>
    of({ kind: "user_profile", before, after }).some(({ entries }) => entries.some(isBroadening));
  expect(broadening({ level: 2 }, { level: 1 })).toBe(false);
  expect(broadening({ level: 1 }, { level: 2 })).toBe(true);
  expect(broadening({ level: 1 }, { level: UNKNOWN })).toBe(true);
  expect(broadening({ password_set: true, password_wo_version: 1 }, { password_wo_version: 2 })).toBe(true);
});

test("dangerous rows stand first, then who gains, what is open, what stays, and who only loses", () => {
  const user = (name: string, before: ObjectValue, after: ObjectValue, facts: Partial<ChangeFacts> = {}) =>
    change({ kind: "user_profile", name, key: name, before, after, ...facts });
  const manages = { permissions: { "user.manage_users": true } };
  const rows = accessChanges([
    user("loses", manages, { permissions: {} }),
    user("keeps", manages, manages, { action: "none", declared: new Set(["username"]) }),
    user("has another password", { password_set: true }, { password_wo_version: 1 }),
    user("may gain", { level: 1 }, { level: UNKNOWN }),
    user("gains", { permissions: {} }, { permissions: rights({ manage_targets: true }) }),
    user("may take over", { permissions: {} }, { permissions: { "user.manage_users": UNKNOWN } }),
    user("takes over", { permissions: {}, level: 2 }, { ...manages, level: 1 }),
  ]);
  expect(byDanger(rows).map(({ who }) => who)).toEqual([
    "may take over",
    "takes over",
    "gains",
    "has another password",
    "may gain",
    "keeps",
    "loses",
  ]);
});

test("the rights after a change are told by the nearest preset and the difference, where that is shorter", () => {
  const observer = ["account.view_events", "account.view_statistics", "account.query_catalog"];
  expect(presetText(observer)).toBe("observer");
  expect(presetText(DEFAULT_RIGHTS)).toBe("account_admin");
  // It is also the observer's, and three rights.
  expect(presetText(PRESETS.key_manager)).toBe("key_manager");
  expect(presetText([...DEFAULT_RIGHTS, "realm.can_switch_user"])).toBe(
    "account_admin + realm.can_switch_user",
  );
  // Four differences are told, a fifth is one too many.
  const gone = DEFAULT_RIGHTS.slice(0, 5);
  expect(presetText(DEFAULT_RIGHTS.slice(4))).toBe(
    `account_admin ${gone
      .slice(0, 4)
      .map((right) => `- ${right}`)
      .join(" ")}`,
  );
  expect(presetText(DEFAULT_RIGHTS.slice(5))).toMatch(/^account_admin( - [\w.]+){5}$/);
  expect(presetText(["vss.manage_snapshots"])).toBeNull();
  expect(presetText([...observer.slice(1), "realm.view_logs"])).toBeNull();
  expect(presetText([...observer, "realm.view_logs"])).toBe("observer + realm.view_logs");
  expect(presetText([])).toBe("none");
});

test("rights stand in the order of the API, once each; new ones stand last in their group, and new groups last", () => {
  const [first, second] = ALL_RIGHTS as readonly [string, string];
  const ordered = [
    first,
    second,
    ...["realm.new_a", "realm.new_b", "vss.remove_vss", "vss.new", "user.manage_users", "other.a", "other.b"],
  ];
  expect(inOrderOfRights([...ordered, first].reverse())).toEqual(ordered);
  expect(inOrderOfRights(ordered)).toEqual(ordered);
});
