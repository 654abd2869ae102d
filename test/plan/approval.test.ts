/** Covers src/plan/approval.ts, src/plan/approval-needs.ts and src/plan/approval-pairs.ts. */
import fc from "fast-check";
import {
  type Approval,
  approvalLevel,
  isApproved,
  judgeApproval,
  NOT_IN_PLAN,
  strictest,
} from "../../src/plan/approval";
import { approvalNeeds, grantedBeyond } from "../../src/plan/approval-needs";
import {
  dividedPairs,
  joinedPairs,
  marksOfPair,
  pairMembers,
  pairProblem,
} from "../../src/plan/approval-pairs";
import { ALL_RIGHTS } from "../../src/service";
import { bearsOnAccess } from "../../src/plan/access";
import type { Change, Pair, Plan } from "../../src/plan";
import { account } from "../../src/resources/account/description";
import { userProfile } from "../../src/resources/user-profile/description";
import { UNKNOWN, type ObjectValue } from "../../src/lib/values";
import { rounds } from "../support/rounds";
import { pairIn, rowsOf } from "../support/pairs";
import { change, type ChangeFacts, plan } from "../support/plans";

const NOW = new Date("2026-03-01T12:00:00.000Z");

/** The pairs of changes. Grants have a `+`, other pairs a `-`, and changes that cannot be approved a `?`. */
function pairsOf(...changes: readonly Change[]): readonly string[] {
  return approvalNeeds(plan(changes)).flatMap(({ pairs, unknown }) => [
    ...pairs.map(({ pair, broadening }) => `${broadening ? "+" : "-"} ${pairMembers(pair)}`),
    ...unknown.map((text) => `? ${text}`),
  ]);
}

const jane = (facts: Partial<ChangeFacts>) => change({ kind: "user_profile", name: "jane@acme", ...facts });
const acme = (facts: Partial<ChangeFacts>) => change({ kind: "account", name: "acme", ...facts });
const token = (facts: Partial<ChangeFacts>) =>
  change({ kind: "authorization", name: "csi@acme/csi-prod", ...facts });

type Case = readonly [attribute: string, before: ObjectValue, after: ObjectValue, pairs: readonly string[]];

const CASES: readonly Case[] = [
  [
    "permissions",
    { permissions: { "vss.format_disks": false, "vss.remove_vss": true } },
    { permissions: { "vss.format_disks": true, "vss.remove_vss": false } },
    ["+ permission: vss.format_disks, until: never", "- permission: vss.remove_vss"],
  ],
  [
    "undeclared_rights",
    { permissions: {}, undeclared_rights: "keep" },
    { permissions: { "vss.remove_vss": true }, undeclared_rights: "deny" },
    ["+ permission: vss.remove_vss, until: never"],
  ],
  [
    "vss_scope",
    { vss_scope: ["vss:1:1", "b"] },
    { vss_scope: ["vss:1:2", "b"] },
    ["+ vss_scope: vss:1:2, until: never", "- vss_scope: vss:1:1"],
  ],
  ["node_scope", { node_scope: ["*"] }, { node_scope: ["b", "a, c"] }, ['- node_scope: "*"']],
  ["node_scope", { node_scope: ["*"] }, { node_scope: [] }, ['- node_scope: "*"']],
  ["access_web", { access_web: false }, { access_web: true }, ["+ access: web, until: never"]],
  ["access_api", { access_api: true }, { access_api: false }, ["- access: api"]],
  ["activated", { activated: false }, { activated: true }, ["+ activated: true, until: never"]],
  ["activated", { activated: true }, { activated: false }, ["- activated: false, until: never"]],
  ["allow_su", { allow_su: false }, { allow_su: true }, ["+ allow_su: true, until: never"]],
  ["allow_su", { allow_su: true }, { allow_su: false }, ["- allow_su: false, until: never"]],
  ["level", { level: 3 }, { level: 5 }, ["+ level: 5, until: never"]],
  ["level", { level: 3 }, { level: 1 }, ["- level: 1, until: never"]],
  [
    "two_factor_auth",
    { two_factor_auth: "google" },
    { two_factor_auth: "none" },
    ["+ two_factor: none, until: never"],
  ],
  [
    "two_factor_auth",
    { two_factor_auth: "none" },
    { two_factor_auth: "google" },
    ["- two_factor: google, until: never"],
  ],
  [
    "two_factor_otp_wo_version",
    { two_factor_otp_wo_version: 1 },
    { two_factor_otp_wo_version: 2 },
    ["+ two_factor_otp: 2, until: never"],
  ],
  [
    "two_factor_secret_wo_version",
    { two_factor_secret_wo_version: 1 },
    { two_factor_secret_wo_version: 2 },
    ["+ two_factor_secret: 2, until: never"],
  ],
  [
    "two_factor_private_id_wo_version",
    { two_factor_private_id_wo_version: 1 },
    { two_factor_private_id_wo_version: 2 },
    ["+ two_factor_private_id: 2, until: never"],
  ],
  [
    "two_factor_security_email",
    { two_factor_security_email: "a@acme.example" },
    { two_factor_security_email: "b@acme.example" },
    ["+ security_email: b@acme.example, until: never"],
  ],
  [
    "two_factor_security_email",
    { two_factor_security_email: "a@acme.example" },
    { two_factor_security_email: null },
    ["- security_email: none, until: never"],
  ],
  [
    "two_factor_security_email",
    { two_factor_security_email: "a@acme.example" },
    { two_factor_security_email: "" },
    ["+ security_email: none, until: never"],
  ],
  [
    "password_wo_version",
    { password_wo_version: 1, password_set: true },
    { password_wo_version: 2, password_set: true },
    ["+ password: 2, until: never"],
  ],
  [
    "password_wo_version",
    { password_set: true },
    { unset: ["password_wo"] },
    ["- password: none, until: never"],
  ],
  [
    "permissions_until",
    { permissions: {}, permissions_until: { "vss.format_disks": "2026-12-04" }, ended: [] },
    {
      permissions: {},
      permissions_until: { "vss.format_disks": "2026-12-31", "vss.update_vss": "2026-12-05" },
      ended: [],
    },
    ["+ permission: vss.format_disks, until: 2026-12-31", "+ permission: vss.update_vss, until: 2026-12-05"],
  ],
  [
    "access_until",
    { access_web: true, access_api: false, access_until: "2026-12-31", ended: [] },
    { access_web: true, access_api: false, access_until: "2026-12-04", ended: [] },
    ["- access: web, until: 2026-12-04"],
  ],
  // What ends by itself was approved with its end.
  [
    "ended",
    { permissions: {}, permissions_until: { "vss.format_disks": "2026-12-04" }, ended: [] },
    { permissions: {}, permissions_until: { "vss.format_disks": "2026-12-04" }, ended: ["vss.format_disks"] },
    [],
  ],
  [
    "ended",
    { permissions: {}, permissions_until: { "vss.format_disks": "2026-12-31" }, ended: [] },
    { permissions: {}, permissions_until: { "vss.format_disks": "2026-12-04" }, ended: ["vss.format_disks"] },
    ["- permission: vss.format_disks"],
  ],
];

test.each(CASES)("a change of %s has a pair that says what it does", (_attribute, before, after, pairs) => {
  expect(pairsOf(jane({ before, after })).map((pair) => pair.replace("user: jane@acme, ", ""))).toEqual(
    pairs,
  );
});

test("for each attribute that bears on access there is such a case", () => {
  const attributes = new Set([...Object.keys(account.attributes), ...Object.keys(userProfile.attributes)]);
  const bearing = [...attributes].filter(bearsOnAccess).sort();
  expect([...new Set(CASES.map(([attribute]) => attribute))].sort()).toEqual(bearing);
});

test("a token that is created, rotated or retired names its user and itself", () => {
  const state = { login: "csi@acme", name: "csi-prod", serial: "s1" };
  expect(pairsOf(token({ after: { ...state, access_token: UNKNOWN } }))).toEqual([
    "+ user: csi@acme, token: csi-prod, until: never",
  ]);
  expect(pairsOf(token({ before: state, after: { ...state, access_token: UNKNOWN } }))).toEqual([
    "+ user: csi@acme, rotates: csi-prod, until: never",
  ]);
  expect(pairsOf(token({ before: state }))).toEqual([]);
  const previous = [{ serial: "s0", access_token: "x" }, { serial: null }];
  expect(pairsOf(token({ before: { ...state, previous }, after: { ...state, previous: [] } }))).toEqual([
    "- user: csi@acme, token: csi-prod, serial: s0",
    "- user: csi@acme, token: csi-prod",
  ]);
  // Of one that may not be shown, the pair names the declaration.
  const hidden = {
    ...token({ after: { ...state, access_token: UNKNOWN } }),
    title: "(sensitive value)",
    address: "tenancy_authorization.a",
  };
  expect(pairsOf(hidden)).toEqual([
    '+ address: tenancy_authorization.a, token: "(sensitive value)", until: never',
  ]);
});

test("a longer retention of replaced tokens needs approval, with a rotation or without one", () => {
  const state = { login: "csi@acme", name: "csi-prod", retain_previous_for: "7d", retain_previous: 1 };
  const after = { ...state, retain_previous_for: "3650d", retain_previous: 5 };
  const longer = [
    "+ user: csi@acme, token: csi-prod, retain_previous_for: 3650d, until: never",
    "+ user: csi@acme, token: csi-prod, retain_previous: 5, until: never",
  ];
  expect(pairsOf(token({ before: state, after }))).toEqual(longer);
  expect(pairsOf(token({ before: state, after: { ...after, access_token: UNKNOWN } }))).toEqual([
    "+ user: csi@acme, rotates: csi-prod, until: never",
    ...longer,
  ]);
  expect(pairsOf(token({ before: after, after: state }))).toEqual([
    "- user: csi@acme, token: csi-prod, retain_previous_for: 7d, until: never",
    "- user: csi@acme, token: csi-prod, retain_previous: 1, until: never",
  ]);
  const open = { ...state, retain_previous_for: UNKNOWN };
  expect(pairsOf(token({ before: state, after: open }))).toEqual([
    "? csi@acme/csi-prod time for which replaced tokens stay valid: (known after apply)",
  ]);
});

test("rights that are kept count as every right that the service may grant", () => {
  const kept = { permissions: { "vss.a": true, "vss.c": false, "vss.b": false }, undeclared_rights: "keep" };
  expect(pairsOf(jane({ after: { ...kept, access_web: false, access_api: false } }))).toEqual([
    "+ user: jane@acme, permissions: all, except: [vss.b, vss.c], until: never",
  ]);
  const open = { permissions: { "vss.a": UNKNOWN }, undeclared_rights: "keep", access_web: true };
  expect(pairsOf(jane({ after: open }))).toEqual([
    "+ user: jane@acme, permissions: all, until: never",
    "+ user: jane@acme, access: web, until: never",
    "? jane@acme vss.a (known after apply)",
  ]);
});

test("rights that stay as nobody declares them need no approval", () => {
  const state = { permissions: { "vss.remove_vss": true } };
  const facts = {
    before: { ...state, xref: "a" },
    after: { ...state, xref: "b" },
    declared: new Set(["xref"]),
  };
  expect(pairsOf(jane(facts))).toEqual([]);
});

test("a delete has no pairs, nor has what ceases with an account", () => {
  const before = { permissions: { "vss.remove_vss": true }, access_web: true, deletion_protection: false };
  expect(pairsOf(jane({ before }))).toEqual([]);
  for (const reason of ["removed", "destroy", "undeclared"] as const)
    expect(pairsOf(acme({ before, reason, claim: "imported" }))).toEqual([]);
  expect(approvalNeeds(plan([], { deletedWithAccount: [jane({ before, reason: "cascade" })] }))).toEqual([]);
});

test("an account loses its protection where it is declared or made unprotected", () => {
  const off = { deletion_protection: false };
  expect(pairsOf(acme({ before: { deletion_protection: true }, after: off }))).toEqual([
    "+ account: acme, deletion_protection: false, until: never",
  ]);
  expect(pairsOf(acme({ after: { ...off, permissions: {} } }))).toContain(
    "+ account: acme, deletion_protection: false, until: never",
  );
  expect(pairsOf(acme({ before: off, after: off }))).toEqual([]);
  expect(
    pairsOf(acme({ before: { allow_nonempty_delete: false }, after: { allow_nonempty_delete: true } })),
  ).toEqual(["+ account: acme, allow_nonempty_delete: true, until: never"]);
  const on = { allow_nonempty_delete: true };
  expect(pairsOf(acme({ before: on, after: on }))).toEqual([]);
  const open = approvalNeeds(plan([acme({ before: {}, after: { deletion_protection: UNKNOWN } })]));
  expect(open[0]?.unknown).toEqual(["acme deletion_protection (known after apply)"]);
});

test("what is taken in names the record, whether it changes or not; what is ours already is not taken in", () => {
  const facts = { before: {}, after: {}, importId: "account:1:9", action: "none" } as const;
  expect(pairsOf(acme({ ...facts, claim: "imported" }))).toEqual([
    "+ import_account: acme, id: account:1:9, permissions: [], until: never",
  ]);
  expect(pairsOf(acme({ ...facts, claim: "managed" }))).toEqual([]);
});

test("a pair counts at the service that it is for, and once", () => {
  const [first] = plan([]).targets;
  const targets = [first!, { ...first!, provider: "tenancy.west", origin: "https://west.example" }];
  const factor = (from: string, facts: Partial<ChangeFacts> = {}) =>
    jane({ before: { two_factor_auth: from }, after: { two_factor_auth: "google" }, ...facts });
  const needs = (...changes: readonly Change[]) =>
    approvalNeeds(plan(changes, { targets })).map(({ service, pairs }) => ({ service, pairs }));
  const google = { pair: { user: "jane@acme", two_factor: "google", until: "never" }, broadening: false };
  expect(needs(factor("none", { provider: "tenancy.west" }))).toEqual([
    { service: "https://west.example", pairs: [google] },
  ]);
  // Terraform's plan does not say of each change by which provider configuration it is made.
  expect(needs(factor("none", { provider: "tenancy.north" }))).toEqual([
    { service: "https://storage.example", pairs: [google] },
  ]);
  // One of two equal pairs grants access.
  expect(needs(factor("yubikey"), factor("none"))).toEqual([
    { service: "https://storage.example", pairs: [{ ...google, broadening: true }, google] },
  ]);
  expect(needs(jane({ before: { xref: "a" }, after: { xref: "b" } }))).toEqual([]);
});

test("a replacement has the pairs of a create with all that it gives", () => {
  const state = { permissions: { "vss.remove_vss": true }, access_web: false, access_api: false };
  const facts = { action: "replace", before: state, after: { ...state, username: "jane" } } as const;
  expect(pairsOf(jane(facts))).toEqual(["+ user: jane@acme, permission: vss.remove_vss, until: never"]);
  expect(pairsOf(jane({ ...facts, granted: ["vss.remove_vss"] }))).toHaveLength(1);
  expect(pairsOf(jane({ ...facts, importId: "profile:1:9", claim: "imported" }))).toContain(
    "+ import: jane@acme, id: profile:1:9, permissions: [], until: never",
  );
});

test("a replacement that ends a deactivation or a second factor has a pair for it, though nobody declares either", () => {
  const before = { permissions: {}, activated: false, allow_su: false, two_factor_auth: "google" };
  const declared = new Set(["username", "permissions", "access_web", "access_api"]);
  const open = { activated: UNKNOWN, allow_su: UNKNOWN, two_factor_auth: UNKNOWN };
  const after = { permissions: {}, access_web: false, access_api: false, ...open };
  expect(pairsOf(jane({ action: "replace", before, after, declared }))).toEqual([
    "+ user: jane@acme, activated: true, until: never",
    "+ user: jane@acme, allow_su: true, until: never",
    "+ user: jane@acme, two_factor: none, until: never",
  ]);
  const stricter = { ...after, two_factor_auth: "google" };
  const unlike = { action: "replace", before: { permissions: {} }, after: stricter } as const;
  const factor = new Set([...declared, "two_factor_auth"]);
  expect(pairsOf(jane({ ...unlike, declared: factor }))).toEqual([
    "- user: jane@acme, two_factor: google, until: never",
  ]);
});

test("what only the apply will know cannot be approved, be it a right, a value or a name", () => {
  expect(pairsOf(jane({ before: {}, after: { permissions: UNKNOWN } }))).toEqual([
    "? jane@acme permissions (known after apply)",
  ]);
  expect(pairsOf(jane({ before: { level: 1 }, after: { level: UNKNOWN } }))).toEqual([
    "? jane@acme level 1 -> (known after apply)",
  ]);
  const name = "(known after apply)@acme";
  expect(pairsOf(change({ kind: "user_profile", name, after: { activated: true } }))).toContain(
    "? (known after apply)@acme activated: true, until: never",
  );
});

test("a value that may not be shown is not in the pair, and a name that may not is told by its declaration", () => {
  const facts = { before: {}, after: { two_factor_security_email: "secret@x" } };
  expect(pairsOf(jane({ ...facts, sensitive: [["two_factor_security_email"]] }))).toEqual([
    '+ user: jane@acme, security_email: "(sensitive value)", until: never',
  ]);
  const less = { before: { vss_scope: ["*"] }, after: { vss_scope: ["secret"] } };
  expect(pairsOf(jane({ ...less, sensitive: [["vss_scope"]] }))).toEqual([
    '- user: jane@acme, vss_scope: "*"',
  ]);
  expect(pairsOf(jane({ ...less, sensitive: [["level"]] }))).toEqual(['- user: jane@acme, vss_scope: "*"']);
  const hidden = { ...jane({ before: {}, after: { activated: true } }), title: "(sensitive value)@acme" };
  expect(pairsOf({ ...hidden, address: 'tenancy_user_profile.u["a"]' })).toEqual([
    String.raw`+ address: "tenancy_user_profile.u[\"a\"]", activated: true, until: never`,
  ]);
});

test("a name with odd characters is quoted, and nothing in it that is not seen stays unseen", () => {
  const line = (name: string, kind: "account" | "user_profile" = "account") =>
    pairsOf(change({ kind, name, before: {}, after: { access_api: true } }))[0];
  expect(line("jane@acme", "user_profile")).toBe("+ user: jane@acme, access: api, until: never");
  expect(line("jane@acme")).toBe("+ account: jane@acme, access: api, until: never");
  expect(line("system", "user_profile")).toBe("+ user: system, access: api, until: never");
  expect(line("a b@c@d", "user_profile")).toBe('+ user: "a b@c@d", access: api, until: never');
  expect(line("müller")).toBe('+ account: "müller", access: api, until: never');
  expect(line("mu\u0308ller")).toBe('+ account: "müller", access: api, until: never');
  expect(line("a\n- b\u202ec\u3164")).toBe(
    String.raw`+ account: "a\n- b\u202ec\u3164", access: api, until: never`,
  );
  expect(line(String.raw`a\n- b`)).toBe(String.raw`+ account: "a\\n- b", access: api, until: never`);
  expect(line("acme, access: web")).toBe('+ account: "acme, access: web", access: api, until: never');
  // Blanks could push the rest of the line off the screen.
  expect(line("a   b")).toBe(String.raw`+ account: "a \u0020\u0020b", access: api, until: never`);
});

test("no two names, and no two values, make the same pair", () => {
  const odd = fc.string({
    unit: fc.constantFrom(..."ab@/\"\\ ,'\n*", "\u202e", "\ufe0f", "\u3164", "é"),
    minLength: 1,
    maxLength: 5,
  });
  const facts = fc.record({ kind: fc.constantFrom("account", "user_profile"), name: odd, id: odd });
  const pairOf = ({ kind, name, id }: { kind: string; name: string; id: string }) =>
    pairsOf(
      change({ kind: kind as "account", name, before: { vss_scope: [] }, after: { vss_scope: [id] } }),
    )[0];
  fc.assert(
    fc.property(facts, facts, (a, b) => {
      const [one, other] = [pairOf(a), pairOf(b)];
      expect(one).not.toMatch(/\n|\u202e|\ufe0f|\u3164/);
      expect(one === other).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
    { numRuns: rounds(300) },
  );
});

// Rights.

test("a dangerous right has a pair of its own, and comes first; the others that a user gains share a pair", () => {
  const granted = (...rights: readonly string[]) => ({
    permissions: Object.fromEntries(rights.map((right) => [right, true])),
  });
  const lost = granted("vss.compress_disks", "vss.remove_vss", "vss.update_vss");
  const gained = granted(
    "vss.manage_snapshots",
    "user.manage_users",
    "vss.new_right",
    "vss.format_disks",
    "realm.manage_accounts",
    "vss.dismiss_tasks",
  );
  const lines = pairsOf(
    acme({ before: { level: 1 }, after: { level: 2 } }),
    jane({ before: lost, after: gained }),
    jane({ name: "joe@acme", before: granted(), after: granted("vss.view") }),
  );
  expect(lines).toEqual([
    "+ user: jane@acme, permission: user.manage_users, until: never",
    "+ user: jane@acme, permission: vss.new_right, until: never",
    "+ user: jane@acme, permission: vss.format_disks, until: never",
    "+ user: jane@acme, permission: realm.manage_accounts, until: never",
    "+ user: joe@acme, permission: vss.view, until: never",
    "+ account: acme, level: 2, until: never",
    "+ user: jane@acme, permissions: [vss.dismiss_tasks, vss.manage_snapshots], until: never",
    "- user: jane@acme, permissions: [vss.update_vss, vss.remove_vss, vss.compress_disks]",
  ]);
});

test("joining loses no pair and adds none, and a dangerous right stays alone", () => {
  const until = fc.constantFrom("never", "2026-12-04", "2026-12-31");
  const permission = fc.constantFrom(...ALL_RIGHTS, "vss.new_one", "odd, right");
  const user = fc.constantFrom("jane@acme", "joe@acme", "a, level: 5");
  const pair = fc.oneof(
    fc.record({ user, permission, until }),
    fc.record({ user, permission }),
    fc.record({ import: user, id: fc.constantFrom("1", "2"), permission, until }),
    fc.record({ user, access: fc.constantFrom("web", "api"), until }),
    fc.record({ account: user, permissions: fc.constant("all"), until }),
  );
  fc.assert(
    fc.property(fc.array(pair as fc.Arbitrary<Pair>), (pairs) => {
      const joined = joinedPairs(pairs);
      for (const one of joined) expect(pairProblem(one, one["until"] !== undefined)).toBeUndefined();
      expect(dividedPairs(joined, pairs).missing).toEqual([]);
      expect(dividedPairs(pairs, joined)).toEqual({ approved: joined, missing: [] });
      const without = dividedPairs(joined, joined.slice(1));
      expect(without.missing.length).toBeLessThanOrEqual(1);
      const permissions = joined
        .filter((one) => one["import"] === undefined && marksOfPair(one).length > 0)
        .map((one) => one["permissions"] ?? "");
      expect(permissions.every((one) => one.length <= 1 || one === "all")).toBe(true);
    }),
    { numRuns: rounds(200) },
  );
});

// Coverage.

const JANE = { user: "jane@acme", activated: "true", until: "never" };
const WEB = { account: "acme", access: "web", until: "never" };

const approval = (facts: Partial<Approval> = {}): Approval => ({
  stack: "storage",
  service: "https://storage.example",
  until: "2026-03-05",
  pairs: [JANE],
  ...facts,
});

const planned = (): Plan =>
  plan([
    jane({ before: { activated: false, level: 2 }, after: { activated: true, level: 1 } }),
    acme({ before: { access_web: false }, after: { access_web: true } }),
  ]);

function judged(level: "never" | "broadening" | "access", ...approvals: readonly Approval[]) {
  return judgeApproval(approvalNeeds(planned()), { level, approvals, now: NOW }).map(
    ({ approved, missing }) => ({
      approved,
      missing,
    }),
  );
}

test("a plan passes when each pair is approved; several files may together cover it", () => {
  const both = [approval(), approval({ pairs: [WEB] })];
  expect(judged("broadening", ...both)).toEqual([{ approved: [JANE, WEB], missing: [] }]);
  expect(judged("broadening")).toEqual([{ approved: [], missing: [JANE, WEB] }]);
  expect(judged("access", ...both)[0]?.missing).toEqual([{ user: "jane@acme", level: "1", until: "never" }]);
  expect(judged("never")).toEqual([]);
});

/** Texts of the pairs that these approvals leave open. */
const missing = (needed: string, ...approved: readonly string[]) =>
  dividedPairs([pairIn(needed)], approved.map(pairIn)).missing.map(pairMembers);

test("approval is judged right by right: files add up, and the missing ones are one pair again", () => {
  const all =
    "user: jane@acme, permissions: [vss.update_vss, vss.manage_snapshots, vss.compress_disks], until: never";
  expect(
    missing(
      all,
      "user: jane@acme, permissions: [vss.update_vss, vss.remove_vss], until: never",
      "user: joe@acme, permission: vss.manage_snapshots, until: never",
    ),
  ).toEqual(["user: jane@acme, permissions: [vss.manage_snapshots, vss.compress_disks], until: never"]);
  expect(missing(all, all)).toEqual([]);
  // The approval of every permission is for a new user, and of no other one.
  expect(missing(all, "user: jane@acme, permissions: all, until: never")).toEqual([all]);
});

test("an approved end covers the same and earlier ends; never covers any", () => {
  const disks = (until: string) => `user: jane@acme, permission: vss.format_disks, until: ${until}`;
  const isCovered = (pair: string, ...approved: readonly string[]) => missing(pair, ...approved).length === 0;
  expect(isCovered(disks("2026-12-04"), disks("2026-12-04"))).toBe(true);
  expect(isCovered(disks("2026-12-03"), disks("2026-12-04"))).toBe(true);
  expect(isCovered(disks("2026-12-05"), disks("2026-12-04"))).toBe(false);
  expect(isCovered(disks("2026-12-05"), disks("2026-12-31"), disks("2026-12-04"))).toBe(true);
  expect(isCovered(disks("2027-01-01"), disks("never"))).toBe(true);
  expect(isCovered(disks("never"), disks("9999-12-31"))).toBe(false);
  expect(isCovered(disks("2026-12-04"), disks("2026-12-04").replace("jane", "joe"))).toBe(false);
  // A removal is no grant, and a grant is no removal.
  expect(isCovered("user: jane@acme, access: web", "user: jane@acme, access: web, until: never")).toBe(false);
  expect(isCovered("user: jane@acme, access: web, until: 2020-01-01", "user: jane@acme, access: web")).toBe(
    false,
  );
});

// Each needed pair differs from the approved pair: in case, account, letter, level, scope, token, reader, time or record.
test.each(
  rowsOf(`
    user: Jane@acme, level: 5                               | user: jane@acme, level: 5
    user: jane@globex, level: 5                             | user: jane@acme, level: 5
    account: jane@acme, level: 5                            | user: jane@acme, level: 5
    user: "j\u0430ne@acme", level: 5                        | user: jane@acme, level: 5
    user: jane@acme, level: 6                               | user: jane@acme, level: 5
    user: jane@acme, vss_scope: "*"                         | user: jane@acme, vss_scope: vss:1:1
    user: jane@acme, node_scope: a                          | user: jane@acme, vss_scope: a
    user: jane@acme, permissions: all                       | user: jane@acme, permissions: all, except: [vss.a]
    user: jane@acme, token: b                               | user: jane@acme, token: a
    user: jane@acme, token: a, reader: age1x                | user: jane@acme, token: a
    user: jane@acme, token: a, reader: age1y                | user: jane@acme, token: a, reader: age1x
    user: jane@acme, token: a, retain_previous: 5           | user: jane@acme, token: a, retain_previous: 1
    user: jane@acme, rotates: a                             | user: jane@acme, token: a
    import: jane@acme, id: 2, permissions: []               | import: jane@acme, id: 1, permissions: []
    import: jane@acme, id: 1, permissions: []               | user: jane@acme, permission: vss.a
    import_account: jane, id: 1, permissions: []            | import: jane, id: 1, permissions: []
    import: jane@acme, id: 1, permissions: [vss.a, vss.b]   | import: jane@acme, id: 1, permissions: [vss.a]
    import: jane@acme, id: 1, permissions: [vss.a]          | user: jane@acme, permission: vss.a
    user: jane@acme, permission: vss.a                      | import: jane@acme, id: 1, permissions: [vss.a]
  `),
)("%s is not covered by %s", (needed, approved) => {
  const ending = (pair: string) => `${pair}, until: never`;
  expect(missing(ending(needed), ending(approved))).not.toEqual([]);
  expect(missing(ending(needed), ending(needed))).toEqual([]);
});

test("permissions of an imported record are covered for its id alone", () => {
  const imported = "import: jane@acme, id: 1, permissions: [vss.update_vss], until: never";
  expect(
    missing(
      imported,
      "import: jane@acme, id: 1, permissions: [vss.update_vss, vss.remove_vss], until: never",
    ),
  ).toEqual([]);
  expect(missing("import: jane@acme, id: 1, permissions: [], until: never", imported)).toEqual([]);
  expect(missing(imported.replace("never", "2026-12-04"), imported)).toEqual([]);
});

test.each<readonly [string, Partial<Approval>]>([
  ["of another stack", { stack: "staging" }],
  ["of another service", { service: "https://other.example" }],
  ["that has ended", { until: "2026-02-28" }],
])("an approval %s does not help", (_which, facts) => {
  expect(judged("broadening", approval(facts))[0]?.approved).toEqual([]);
});

test("an approval holds until the end of its last day", () => {
  expect(judged("broadening", approval({ until: "2026-03-01" }))[0]?.approved).toEqual([JANE]);
  const at = (now: string) =>
    judgeApproval(approvalNeeds(planned()), {
      level: "broadening",
      approvals: [approval()],
      now: new Date(now),
    });
  expect(at("2026-03-05T23:59:59.999Z")[0]?.approved).toEqual([JANE]);
  expect(at("2026-03-06T00:00:00.000Z")[0]?.approved).toEqual([]);
});

test("a plan passes where nothing is missing and nothing is unknown", () => {
  const scope = { stack: "storage", service: "https://storage.example" };
  const passes = (missing: readonly Pair[], unknown: readonly string[]) =>
    isApproved({ ...scope, approved: [JANE], missing, unknown });
  expect([passes([], []), passes([WEB], []), passes([], ["c"])]).toEqual([true, false, false]);
  // A plan that does not say at which service it writes cannot be approved.
  const needs = [{ ...scope, service: NOT_IN_PLAN, pairs: [{ pair: WEB, broadening: true }], unknown: [] }];
  const approvals = [approval({ service: NOT_IN_PLAN, pairs: [WEB] })];
  expect(judgeApproval(needs, { level: "broadening", approvals, now: NOW })[0]).toMatchObject({
    missing: [],
    unknown: ["{ account: acme, access: web, until: never }"],
  });
});

test("the strictest demand wins, and a misspelt one is an error", () => {
  expect(strictest([])).toBe("never");
  expect(strictest(["never", "access", "broadening"])).toBe("access");
  expect(approvalLevel("broadening", "--require-approval")).toBe("broadening");
  for (const text of ["brodening", "Access", "", 1, null])
    expect(() => approvalLevel(text, "TENANCY_REQUIRE_APPROVAL")).toThrow(
      expect.objectContaining({ code: "TENANCY_INVALID_SETTING" }) as Error,
    );
});

// After a create.

test("a create that gave more than was shown is reported, and one that gave less is not", () => {
  const after = {
    permissions: { "vss.format_disks": false, "vss.remove_vss": true },
    vss_scope: ["vss:1:1"],
    access_web: false,
    level: 3,
    two_factor_auth: "google",
  };
  const created = jane({ after });
  const shown = { vss_scope: ["vss:1:1"], access_web: false, level: 3, two_factor_auth: "google" };
  expect(grantedBeyond(created, shown, ["vss.remove_vss"])).toEqual([]);
  expect(grantedBeyond(created, { ...shown, level: 1, vss_scope: [] }, [])).toEqual([]);
  expect(
    grantedBeyond(created, { vss_scope: ["*"], access_web: true, level: 9, two_factor_auth: "none" }, [
      "vss.remove_vss",
      "vss.format_disks",
      "vss.new_one",
    ]),
  ).toEqual([
    "permission: vss.format_disks, until: never (destructive)",
    "permission: vss.new_one, until: never (unknown right)",
    'vss_scope: "*", until: never',
    "access: web, until: never",
    "level: 9, until: never",
    "two_factor: none, until: never",
  ]);
});

test("what nobody declared, or the service does not show, is nothing that a create gave beyond the plan", () => {
  const undeclared = jane({
    after: { access_web: UNKNOWN, level: null, two_factor_auth: UNKNOWN, permissions: {} },
  });
  expect(grantedBeyond(undeclared, { access_web: true, level: 9, two_factor_auth: "none" }, [])).toEqual([]);
  const byDefault = jane({
    after: { access_web: false, two_factor_auth: "google", permissions: {} },
    declared: new Set(["username"]),
  });
  expect(grantedBeyond(byDefault, { access_web: true, two_factor_auth: "none" }, [])).toEqual([]);
  const without = jane({ after: { two_factor_auth: "none", level: 3, permissions: {} } });
  expect(grantedBeyond(without, { two_factor_auth: "none", level: 3 }, [])).toEqual([]);
  expect(
    grantedBeyond(
      jane({ after: { two_factor_auth: null, permissions: {} } }),
      { two_factor_auth: "none" },
      [],
    ),
  ).toEqual([]);
  expect(
    grantedBeyond(jane({ after: { access_web: true, permissions: {} } }), { access_web: null }, []),
  ).toEqual([]);
});

test("where every right was shown, none is too much but one that was denied", () => {
  const open = jane({ after: { permissions: UNKNOWN }, declared: new Set(["username"]) });
  expect(grantedBeyond(open, {}, ["vss.new_one"])).toEqual([]);
  const kept = jane({ after: { permissions: { "vss.a": false }, undeclared_rights: "keep" } });
  expect(grantedBeyond(kept, {}, ["vss.a", "vss.b"])).toEqual([
    "permission: vss.a, until: never (unknown right)",
  ]);
  const later = jane({ after: { permissions: UNKNOWN } });
  expect(grantedBeyond(later, {}, ["vss.a"])).toEqual([]);
});
