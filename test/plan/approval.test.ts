/** Covers src/plan/approval.ts, src/plan/approval-lines.ts and src/plan/approval-pairs.ts. */
import fc from "fast-check";
import { type Approval, approvalLevel, isApproved, judgeApproval, strictest } from "../../src/plan/approval";
import { approvalNeeds, grantedBeyond } from "../../src/plan/approval-lines";
import { ApprovedPairs, linesOfPairs, markWords, pairsOf } from "../../src/plan/approval-pairs";
import { accessMarksOf } from "../../src/plan/rights";
import { PRESETS } from "../../src/resources";
import { ALL_RIGHTS } from "../../src/service";
import { bearsOnAccess } from "../../src/plan/access";
import type { Change, Plan } from "../../src/plan";
import { account } from "../../src/resources/account/description";
import { userProfile } from "../../src/resources/user-profile/description";
import { UNKNOWN, type ObjectValue } from "../../src/lib/values";
import { rounds } from "../support/rounds";
import { change, type ChangeFacts, plan } from "../support/plans";

const NOW = new Date("2026-03-01T12:00:00.000Z");

/** Lines of one change: what lets somebody do more, with a `+`; the rest with a `-`; what cannot be approved with a `?`. */
function linesOf(...changes: readonly Change[]): readonly string[] {
  return approvalNeeds(plan(changes)).flatMap(({ lines, unknown }) => [
    ...lines.map(({ line, broadening }) => `${broadening ? "+" : "-"} ${line}`),
    ...unknown.map(({ line }) => `? ${line}`),
  ]);
}

const jane = (facts: Partial<ChangeFacts>) => change({ kind: "user_profile", name: "jane@acme", ...facts });
const acme = (facts: Partial<ChangeFacts>) => change({ kind: "account", name: "acme", ...facts });
const token = (facts: Partial<ChangeFacts>) =>
  change({ kind: "authorization", name: "csi@acme/csi-prod", ...facts });

type Case = readonly [attribute: string, before: ObjectValue, after: ObjectValue, lines: readonly string[]];

const CASES: readonly Case[] = [
  [
    "permissions",
    { permissions: { "vss.format_disks": false, "vss.remove_vss": true } },
    { permissions: { "vss.format_disks": true, "vss.remove_vss": false } },
    ["+ jane@acme gains vss.format_disks (destructive)", "- jane@acme loses vss.remove_vss"],
  ],
  [
    "undeclared_rights",
    { permissions: {}, undeclared_rights: "keep" },
    { permissions: { "vss.remove_vss": true }, undeclared_rights: "deny" },
    ["+ jane@acme gains vss.remove_vss (destructive)"],
  ],
  [
    "vss_scope",
    { vss_scope: ["vss:1:1", "b"] },
    { vss_scope: ["vss:1:2", "b"] },
    ["+ jane@acme gains vss_scope vss:1:2", "- jane@acme loses vss_scope vss:1:1"],
  ],
  [
    "node_scope",
    { node_scope: ["*"] },
    { node_scope: ["b", "a, c"] },
    ['- jane@acme loses node_scope * but "a, c", b'],
  ],
  ["node_scope", { node_scope: ["*"] }, { node_scope: [] }, ["- jane@acme loses node_scope *"]],
  ["access_web", { access_web: false }, { access_web: true }, ["+ jane@acme gains web access"]],
  ["access_api", { access_api: true }, { access_api: false }, ["- jane@acme loses API access"]],
  ["activated", { activated: false }, { activated: true }, ["+ jane@acme activated"]],
  ["activated", { activated: true }, { activated: false }, ["- jane@acme deactivated"]],
  ["allow_su", { allow_su: false }, { allow_su: true }, ["+ jane@acme allow_su on"]],
  ["allow_su", { allow_su: true }, { allow_su: false }, ["- jane@acme allow_su off"]],
  ["level", { level: 3 }, { level: 5 }, ["+ jane@acme level raised to 5"]],
  ["level", { level: 3 }, { level: 1 }, ["- jane@acme level lowered to 1"]],
  [
    "two_factor_auth",
    { two_factor_auth: "google" },
    { two_factor_auth: "none" },
    ["+ jane@acme two_factor none"],
  ],
  [
    "two_factor_auth",
    { two_factor_auth: "none" },
    { two_factor_auth: "google" },
    ["- jane@acme two_factor google"],
  ],
  [
    "two_factor_otp_wo_version",
    { two_factor_otp_wo_version: 1 },
    { two_factor_otp_wo_version: 2 },
    ["+ jane@acme two_factor_otp version 2"],
  ],
  [
    "two_factor_secret_wo_version",
    { two_factor_secret_wo_version: 1 },
    { two_factor_secret_wo_version: 2 },
    ["+ jane@acme two_factor_secret version 2"],
  ],
  [
    "two_factor_private_id_wo_version",
    { two_factor_private_id_wo_version: 1 },
    { two_factor_private_id_wo_version: 2 },
    ["+ jane@acme two_factor_private_id version 2"],
  ],
  [
    "two_factor_security_email",
    { two_factor_security_email: "a@acme.example" },
    { two_factor_security_email: "b@acme.example" },
    ['+ jane@acme security_email "b@acme.example"'],
  ],
  [
    "two_factor_security_email",
    { two_factor_security_email: "a@acme.example" },
    { two_factor_security_email: null },
    ["- jane@acme loses security_email"],
  ],
  [
    "password_wo_version",
    { password_wo_version: 1, password_set: true },
    { password_wo_version: 2, password_set: true },
    ["+ jane@acme password version 2"],
  ],
  ["password_wo_version", { password_set: true }, { unset: ["password_wo"] }, ["- jane@acme loses password"]],
  [
    "permissions_until",
    { permissions: {}, permissions_until: { "vss.format_disks": "2026-12-04" }, ended: [] },
    {
      permissions: {},
      permissions_until: { "vss.format_disks": "2026-12-31", "vss.update_vss": "2026-12-05" },
      ended: [],
    },
    [
      "+ jane@acme keeps vss.format_disks until 2026-12-31 (was 2026-12-04) (destructive)",
      "+ jane@acme gains vss.update_vss until 2026-12-05",
    ],
  ],
  [
    "access_until",
    { access_web: true, access_api: false, access_until: "2026-12-31", ended: [] },
    { access_web: true, access_api: false, access_until: "2026-12-04", ended: [] },
    ["- jane@acme keeps web access until 2026-12-04 (was 2026-12-31)"],
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
    ["- jane@acme loses vss.format_disks"],
  ],
];

test.each(CASES)("a change of %s has a line that says what it does", (_attribute, before, after, lines) => {
  expect(linesOf(jane({ before, after }))).toEqual(lines);
});

test("for each attribute that bears on access there is such a case", () => {
  const attributes = new Set([...Object.keys(account.attributes), ...Object.keys(userProfile.attributes)]);
  const bearing = [...attributes].filter(bearsOnAccess).sort();
  expect([...new Set(CASES.map(([attribute]) => attribute))].sort()).toEqual(bearing);
});

test("a token that is created, rotated, revoked or retired names its user and itself", () => {
  const state = { login: "csi@acme", name: "csi-prod", serial: "s1" };
  expect(linesOf(token({ after: { ...state, access_token: UNKNOWN } }))).toEqual([
    '+ csi@acme token "csi-prod"',
  ]);
  expect(linesOf(token({ before: state, after: { ...state, access_token: UNKNOWN } }))).toEqual([
    '+ csi@acme rotates token "csi-prod"',
  ]);
  expect(linesOf(token({ before: state }))).toEqual(['- csi@acme loses token "csi-prod"']);
  const previous = [{ serial: "s0", access_token: "x" }, { serial: null }];
  expect(linesOf(token({ before: { ...state, previous }, after: { ...state, previous: [] } }))).toEqual([
    '- csi@acme loses token "csi-prod" s0',
    '- csi@acme loses token "csi-prod"',
  ]);
  // Of one that has no name, or none that may be shown, neither line can be mistaken for another's.
  expect(linesOf(token({ before: {} }))).toEqual(['? csi@acme/csi-prod loses token "(sensitive value)"']);
  const hidden = {
    ...token({ before: state }),
    title: "(sensitive value)",
    address: "tenancy_authorization.a",
  };
  expect(linesOf(hidden)).toEqual([
    '- (sensitive "tenancy_authorization.a") loses token "(sensitive value)"',
  ]);
});

test("a longer retention of replaced tokens needs approval, with a rotation or without one", () => {
  const state = { login: "csi@acme", name: "csi-prod", retain_previous_for: "7d", retain_previous: 1 };
  const after = { ...state, retain_previous_for: "3650d", retain_previous: 5 };
  const longer = [
    '+ csi@acme keeps replaced tokens of "csi-prod" for 3650d',
    '+ csi@acme keeps replaced tokens of "csi-prod", up to 5',
  ];
  expect(linesOf(token({ before: state, after }))).toEqual(longer);
  expect(linesOf(token({ before: state, after: { ...after, access_token: UNKNOWN } }))).toEqual([
    '+ csi@acme rotates token "csi-prod"',
    ...longer,
  ]);
  expect(linesOf(token({ before: after, after: state }))).toEqual([
    '- csi@acme keeps replaced tokens of "csi-prod" for 7d',
    '- csi@acme keeps replaced tokens of "csi-prod", up to 1',
  ]);
  const open = { ...state, retain_previous_for: UNKNOWN };
  expect(linesOf(token({ before: state, after: open }))).toEqual([
    "? csi@acme replaced tokens stay valid for (known after apply)",
  ]);
});

test("permissions that nobody declares count as every right that the service may grant", () => {
  const after = { name: "acme", permissions: UNKNOWN, access_web: false, access_api: false };
  const declared = new Set(["name", "access_web", "access_api"]);
  expect(linesOf(acme({ after, declared }))).toEqual(["+ acme gains every right (destructive, privileged)"]);
  const kept = { permissions: { "vss.a": true, "vss.c": false, "vss.b": false }, undeclared_rights: "keep" };
  expect(linesOf(jane({ after: { ...kept, access_web: false, access_api: false } }))).toEqual([
    "+ jane@acme gains every right but vss.b, vss.c (destructive, privileged)",
  ]);
  const open = { permissions: { "vss.a": UNKNOWN }, undeclared_rights: "keep", access_web: true };
  expect(linesOf(jane({ after: open }))).toEqual([
    "+ jane@acme gains every right (destructive, privileged)",
    "+ jane@acme gains web access",
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
  expect(linesOf(jane(facts))).toEqual([]);
});

test("a delete is one line, whatever is lost with it; so is that of somebody who ceases with an account", () => {
  const before = { permissions: { "vss.remove_vss": true }, access_web: true };
  expect(linesOf(jane({ before }))).toEqual(["- jane@acme deleted"]);
  const needs = approvalNeeds(plan([], { deletedWithAccount: [jane({ before, reason: "cascade" })] }));
  expect(needs[0]?.lines).toEqual([{ line: "jane@acme deleted", broadening: false }]);
});

test("an account loses its protection where it is declared unprotected, made unprotected, or removed in code", () => {
  const off = { deletion_protection: false };
  expect(linesOf(acme({ before: { deletion_protection: true }, after: off }))).toEqual([
    "+ acme deletion_protection off",
  ]);
  expect(linesOf(acme({ after: { ...off, permissions: {} } }))).toContain("+ acme deletion_protection off");
  expect(linesOf(acme({ before: off, after: off }))).toEqual([]);
  expect(
    linesOf(acme({ before: { allow_nonempty_delete: false }, after: { allow_nonempty_delete: true } })),
  ).toEqual(["+ acme allow_nonempty_delete on"]);
  const on = { allow_nonempty_delete: true };
  expect(linesOf(acme({ before: on, after: on }))).toEqual([]);
  const open = approvalNeeds(plan([acme({ before: {}, after: { deletion_protection: UNKNOWN } })]));
  expect(open[0]?.unknown).toEqual([
    { line: "acme deletion_protection (known after apply)", broadening: true },
  ]);
  expect(linesOf(acme({ before: { deletion_protection: true }, reason: "removed" }))).toEqual([
    "+ acme deletion_protection off",
    "- acme deleted",
  ]);
  expect(linesOf(acme({ before: { deletion_protection: true }, reason: "undeclared" }))).toEqual([
    "- acme deleted",
  ]);
});

test("destroy lifts the protection of an account that it finds unprotected, and of no other", () => {
  const destroyed = (deletion_protection: boolean | null) =>
    linesOf(acme({ before: { deletion_protection }, reason: "destroy" }));
  expect(destroyed(false)).toEqual(["+ acme deletion_protection off", "- acme deleted"]);
  expect(destroyed(true)).toEqual(["- acme deleted"]);
  expect(destroyed(null)).toEqual(["- acme deleted"]);
  expect(linesOf(acme({ before: { deletion_protection: false }, reason: "undeclared" }))).toEqual([
    "- acme deleted",
  ]);
});

test("what is taken in names the record, whether it changes or not; what is ours already is not taken in", () => {
  const facts = { before: {}, after: {}, importId: "account:1:9", action: "none" } as const;
  expect(linesOf(acme({ ...facts, claim: "imported" }))).toEqual(["+ imports account acme (account:1:9)"]);
  expect(linesOf(acme({ ...facts, claim: "managed" }))).toEqual([]);
});

test("a line counts at the service that it is for, and once", () => {
  const [first] = plan([]).targets;
  const targets = [first!, { ...first!, provider: "tenancy.west", origin: "https://west.example" }];
  const factor = (from: string, facts: Partial<ChangeFacts> = {}) =>
    jane({ before: { two_factor_auth: from }, after: { two_factor_auth: "google" }, ...facts });
  const needs = (...changes: readonly Change[]) =>
    approvalNeeds(plan(changes, { targets })).map(({ origin, lines }) => ({ origin, lines }));
  const line = { line: "jane@acme two_factor google", broadening: false };
  expect(needs(factor("none", { provider: "tenancy.west" }))).toEqual([
    { origin: "https://west.example", lines: [line] },
  ]);
  // Terraform's plan does not say of each change by which provider configuration it is made.
  expect(needs(factor("none", { provider: "tenancy.north" }))).toEqual([
    { origin: "https://storage.example", lines: [line] },
  ]);
  // Where one of two equal lines lets somebody do more, so does the line.
  expect(needs(factor("yubikey"), factor("none"))).toEqual([
    { origin: "https://storage.example", lines: [{ ...line, broadening: true }] },
  ]);
  expect(needs(jane({ before: { xref: "a" }, after: { xref: "b" } }))).toEqual([]);
});

test("a replacement has the lines of a delete, and of a create with all that it gives", () => {
  const state = { permissions: { "vss.remove_vss": true }, access_web: false, access_api: false };
  const facts = { action: "replace", before: state, after: { ...state, username: "jane" } } as const;
  expect(linesOf(jane(facts))).toEqual([
    "+ jane@acme gains vss.remove_vss (destructive)",
    "- jane@acme deleted",
  ]);
  expect(linesOf(jane({ ...facts, granted: ["vss.remove_vss"] }))).toHaveLength(2);
  expect(linesOf(jane({ ...facts, importId: "profile:1:9", claim: "imported" }))).toContain(
    "+ imports user jane@acme (profile:1:9)",
  );
});

test("a replacement that ends a deactivation or a second factor has a line for it, though nobody declares either", () => {
  const before = { permissions: {}, activated: false, allow_su: false, two_factor_auth: "google" };
  const declared = new Set(["username", "permissions", "access_web", "access_api"]);
  const open = { activated: UNKNOWN, allow_su: UNKNOWN, two_factor_auth: UNKNOWN };
  const after = { permissions: {}, access_web: false, access_api: false, ...open };
  expect(linesOf(jane({ action: "replace", before, after, declared }))).toEqual([
    "- jane@acme deleted",
    "+ jane@acme activated",
    "+ jane@acme allow_su on",
    "+ jane@acme two_factor none",
  ]);
  const stricter = { ...after, two_factor_auth: "google" };
  const unlike = { action: "replace", before: { permissions: {} }, after: stricter } as const;
  const factor = new Set([...declared, "two_factor_auth"]);
  expect(linesOf(jane({ ...unlike, declared: factor }))).toEqual([
    "- jane@acme deleted",
    "- jane@acme two_factor google",
  ]);
});

test("what only the apply will know cannot be approved, be it a right, a value or a name", () => {
  expect(linesOf(jane({ before: {}, after: { permissions: UNKNOWN } }))).toEqual([
    "? jane@acme permissions (known after apply)",
  ]);
  expect(linesOf(jane({ before: { level: 1 }, after: { level: UNKNOWN } }))).toEqual([
    "? jane@acme level 1 -> (known after apply)",
  ]);
  const name = "(known after apply)@acme";
  expect(linesOf(change({ kind: "user_profile", name, after: { activated: true } }))).toContain(
    "? (known after apply)@acme activated",
  );
});

test("a value that may not be shown is not in the line, and a name that may not is told by its declaration", () => {
  const facts = { before: {}, after: { two_factor_security_email: "secret@x" } };
  expect(linesOf(jane({ ...facts, sensitive: [["two_factor_security_email"]] }))).toEqual([
    "+ jane@acme security_email (sensitive value)",
  ]);
  const less = { before: { vss_scope: ["*"] }, after: { vss_scope: ["secret"] } };
  expect(linesOf(jane({ ...less, sensitive: [["vss_scope"]] }))).toEqual([
    "- jane@acme loses vss_scope * but (sensitive value)",
  ]);
  expect(linesOf(jane({ ...less, sensitive: [["level"]] }))).toEqual([
    "- jane@acme loses vss_scope * but secret",
  ]);
  const hidden = { ...jane({ before: {}, after: { activated: true } }), title: "(sensitive value)@acme" };
  expect(linesOf({ ...hidden, address: 'tenancy_user_profile.u["a"]' })).toEqual([
    String.raw`+ (sensitive "tenancy_user_profile.u[\"a\"]") activated`,
  ]);
});

test("a name with odd characters is quoted, and nothing in it that is not seen stays unseen", () => {
  const line = (name: string, kind: "account" | "user_profile" = "account") =>
    linesOf(change({ kind, name, before: {}, after: { access_api: true } }))[0];
  expect(line("jane@acme", "user_profile")).toBe("+ jane@acme gains API access");
  expect(line("jane@acme")).toBe('+ "jane@acme" gains API access');
  expect(line("system", "user_profile")).toBe("+ system gains API access");
  expect(line("@acme", "user_profile")).toBe('+ ""@acme gains API access');
  expect(line("a b@c@d", "user_profile")).toBe('+ "a b"@"c@d" gains API access');
  expect(line("müller")).toBe('+ "müller" gains API access');
  expect(line("mu\u0308ller")).toBe('+ "müller" gains API access');
  expect(line("a\n- b\u202ec\u3164")).toBe(String.raw`+ "a\n- b\u202ec\u3164" gains API access`);
  expect(line(String.raw`a\n- b`)).toBe(String.raw`+ "a\\n- b" gains API access`);
  expect(line("acme gains API access")).toBe('+ "acme gains API access" gains API access');
  // Blanks could push the rest of the line off the screen.
  expect(line("a   b")).toBe(String.raw`+ "a \u0020\u0020b" gains API access`);
});

test("no two names, and no two values, make the same line", () => {
  const odd = fc.string({
    unit: fc.constantFrom(..."ab@/\"\\ ,'\n*", "\u202e", "\ufe0f", "\u3164", "é"),
    minLength: 1,
    maxLength: 5,
  });
  const facts = fc.record({ kind: fc.constantFrom("account", "user_profile"), name: odd, id: odd });
  const lineOf = ({ kind, name, id }: { kind: string; name: string; id: string }) =>
    linesOf(
      change({ kind: kind as "account", name, before: { vss_scope: [] }, after: { vss_scope: [id] } }),
    )[0];
  // A user's login has an `@`, and an account's does not: otherwise they would be the same login to the service.
  const isFit = ({ kind, name }: { kind: string; name: string }) =>
    kind === "account" || (name.indexOf("@") > 0 && !name.endsWith("@"));
  fc.assert(
    fc.property(facts.filter(isFit), facts.filter(isFit), (a, b) => {
      const [one, other] = [lineOf(a), lineOf(b)];
      expect(one).not.toMatch(/\n|\u202e|\ufe0f|\u3164/);
      expect(one === other).toBe(JSON.stringify(a) === JSON.stringify(b));
    }),
    { numRuns: rounds(300) },
  );
});

// Rights.

test("a dangerous right has a line of its own, first and marked; the others that a user gains share a line", () => {
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
  const lines = linesOf(
    acme({ before: { level: 1 }, after: { level: 2 } }),
    jane({ before: lost, after: gained }),
    jane({ name: "joe@acme", before: granted(), after: granted("vss.view") }),
  );
  expect(lines).toEqual([
    "+ jane@acme gains user.manage_users (privileged)",
    "+ jane@acme gains vss.new_right (unknown right)",
    "+ jane@acme gains vss.format_disks (destructive)",
    "+ jane@acme gains realm.manage_accounts (destructive, privileged)",
    "+ joe@acme gains vss.view (unknown right)",
    "+ acme level raised to 2",
    "+ jane@acme gains vss.dismiss_tasks, vss.manage_snapshots",
    "- jane@acme loses vss.update_vss, vss.remove_vss, vss.compress_disks",
  ]);
});

test("a preset takes one line, and names each right", () => {
  const permissions = Object.fromEntries(PRESETS.operator.map((right) => [right, true]));
  const lines = linesOf(jane({ before: { permissions: {} }, after: { permissions } }));
  expect(lines).toHaveLength(1);
  expect(pairsOf(lines[0]?.slice(2) ?? "")).toHaveLength(PRESETS.operator.length);
});

test("lines and pairs: no pair is lost, none is added, and each is marked as it has to be", () => {
  const right = fc.constantFrom(...ALL_RIGHTS, "vss.new_one", '"odd, right"');
  const user = fc.constantFrom("jane@acme", "acme", '"a gains b"@acme', '(sensitive "x gains vss.a")');
  const facts = fc.oneof(
    fc.record({ user, verb: fc.constantFrom("gains", "loses"), right, end: fc.constant("") }),
    fc.record({
      user,
      verb: fc.constantFrom("gains", "keeps"),
      right,
      end: fc.constantFrom(" until 2026-12-04", " until 2026-12-31 (was 2026-12-04)", " without an end"),
    }),
  );
  const others = fc.constantFrom(
    "jane@acme gains web access",
    "acme gains vss_scope *",
    "acme loses password",
  );
  fc.assert(
    fc.property(fc.array(facts), fc.array(others), (pairs, more) => {
      const said = pairs.map((one) => `${one.user} ${one.verb} ${one.right}${one.end}`);
      const lines = linesOfPairs([...said, ...more]);
      const wanted = pairs.map(
        (one) =>
          `${one.user} ${one.verb} ${one.right}${one.end}${one.verb === "loses" ? "" : markWords(accessMarksOf(one.right))}`,
      );
      const written = lines.flatMap(pairsOf);
      expect([...written].sort()).toEqual([...new Set([...wanted, ...more])].sort());
      expect(linesOfPairs(written)).toEqual(lines);
      const starts = lines.map((line) => {
        const [, start, end] =
          /^(.* (?:gains|keeps|loses)) (?:\S+\.|"odd).*?( until .*| without an end)?$/.exec(line) ?? [];
        return start === undefined || /\((?:destr|priv|unknown)[^)]*\)$/.test(line)
          ? undefined
          : `${start}${end ?? ""}`;
      });
      const shared = starts.filter((start) => start !== undefined);
      expect(new Set(shared).size).toBe(shared.length);
    }),
    { numRuns: rounds(200) },
  );
});

// Coverage.

const entry = (facts: Partial<Approval> = {}): Approval => ({
  stack: "storage",
  origin: "https://storage.example",
  owner: "acme-platform",
  until: "2026-03-05",
  allows: ["jane@acme activated"],
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

test("a plan passes when each line is in an entry; several entries may together cover it", () => {
  const both = [entry(), entry({ allows: ["acme gains web access"] })];
  expect(judged("broadening", ...both)).toEqual([
    { approved: ["jane@acme activated", "acme gains web access"], missing: [] },
  ]);
  expect(judged("broadening")).toEqual([
    { approved: [], missing: ["jane@acme activated", "acme gains web access"] },
  ]);
  expect(judged("access", ...both)[0]?.missing).toEqual(["jane@acme level lowered to 1"]);
  expect(judged("never")).toEqual([]);
});

test("approval is judged right by right: entries add up, and what is missing is one line again", () => {
  const permissions = (...rights: readonly string[]) => ({
    permissions: Object.fromEntries(rights.map((right) => [right, true])),
  });
  const after = permissions(
    "vss.update_vss",
    "vss.manage_snapshots",
    "vss.compress_disks",
    "vss.format_disks",
  );
  const needs = approvalNeeds(plan([jane({ before: permissions(), after })]));
  const judgedBy = (...allows: readonly (readonly string[])[]) => {
    const approvals = allows.map((lines) => entry({ allows: lines }));
    const [verdict] = judgeApproval(needs, { level: "broadening", approvals, now: NOW });
    return { approved: verdict?.approved, missing: verdict?.missing };
  };
  expect(
    judgedBy(
      ["jane@acme gains vss.update_vss, vss.remove_vss"],
      ["jane@acme gains vss.compress_disks", "joe@acme gains vss.manage_snapshots"],
    ),
  ).toEqual({
    approved: ["jane@acme gains vss.update_vss, vss.compress_disks"],
    missing: ["jane@acme gains vss.format_disks (destructive)", "jane@acme gains vss.manage_snapshots"],
  });
  const rest = "jane@acme gains vss.update_vss, vss.manage_snapshots, vss.compress_disks";
  // A dangerous right counts only in a line of its own.
  expect(judgedBy([`${rest}, vss.format_disks`]).missing).toEqual([
    "jane@acme gains vss.format_disks (destructive)",
  ]);
  expect(judgedBy([rest, "jane@acme gains vss.format_disks"]).missing).toHaveLength(1);
  expect(judgedBy([rest, "jane@acme gains vss.format_disks (destructive)"]).missing).toEqual([]);
});

test("an approved end covers the same and earlier ends, be the access gained or kept; one without an end covers any", () => {
  const isCovered = (line: string, ...allows: readonly string[]) =>
    new ApprovedPairs(allows.flatMap(pairsOf)).covers(line);
  const gains = (day: string) => `jane@acme gains vss.format_disks until ${day} (destructive)`;
  expect(isCovered(gains("2026-12-04"), gains("2026-12-04"))).toBe(true);
  expect(isCovered(gains("2026-12-03"), gains("2026-12-04"))).toBe(true);
  expect(isCovered(gains("2026-12-05"), gains("2026-12-04"))).toBe(false);
  expect(isCovered(gains("2026-12-05"), gains("2026-12-04"), gains("2026-12-31"))).toBe(true);
  expect(isCovered(gains("2027-01-01"), "jane@acme gains vss.format_disks (destructive)")).toBe(true);
  expect(isCovered("jane@acme gains vss.format_disks (destructive)", gains("2027-01-01"))).toBe(false);
  const keeps = "jane@acme keeps vss.format_disks until 2026-12-31 (was 2026-12-04) (destructive)";
  expect(isCovered(keeps, gains("2026-12-31"))).toBe(true);
  expect(isCovered(keeps, gains("2026-12-30"))).toBe(false);
  expect(isCovered(keeps, "jane@acme keeps vss.format_disks until 2026-12-31 (destructive)")).toBe(true);
  expect(isCovered("jane@acme keeps vss.format_disks without an end (destructive)", keeps)).toBe(false);
  // Not without its mark, and not for somebody or something else.
  expect(isCovered(gains("2026-12-04"), "jane@acme gains vss.format_disks until 2026-12-04")).toBe(false);
  expect(isCovered(gains("2026-12-04"), gains("2026-12-04").replace("jane", "joe"))).toBe(false);
  const plain = "jane@acme gains vss.update_vss, vss.manage_snapshots until 2026-12-04";
  expect(isCovered("jane@acme gains vss.manage_snapshots until 2026-12-01", plain)).toBe(true);
  expect(isCovered("jane@acme keeps web access until 2026-12-01", "jane@acme gains web access")).toBe(true);
});

test.each<readonly [string, Partial<Approval>]>([
  ["of another stack", { stack: "staging" }],
  ["of another origin", { origin: "https://other.example" }],
  ["of another owner", { owner: "globex" }],
  ["that has ended", { until: "2026-02-28" }],
])("an entry %s does not help", (_which, facts) => {
  expect(judged("broadening", entry(facts))[0]?.approved).toEqual([]);
});

test("an entry holds until the end of its last day", () => {
  expect(judged("broadening", entry({ until: "2026-03-01" }))[0]?.approved).toEqual(["jane@acme activated"]);
  const at = (now: string) =>
    judgeApproval(approvalNeeds(planned()), {
      level: "broadening",
      approvals: [entry()],
      now: new Date(now),
    });
  expect(at("2026-03-05T23:59:59.999Z")[0]?.approved).toEqual(["jane@acme activated"]);
  expect(at("2026-03-06T00:00:00.000Z")[0]?.approved).toEqual([]);
});

test("a plan passes where nothing is missing and nothing is unknown", () => {
  const scope = { stack: "storage", origin: "https://storage.example", owner: "acme-platform" };
  const passes = (missing: readonly string[], unknown: readonly string[]) =>
    isApproved({ ...scope, approved: ["a"], missing, unknown });
  expect(passes([], [])).toBe(true);
  expect(passes(["b"], [])).toBe(false);
  expect(passes([], ["c"])).toBe(false);
  // Of what only the apply will know, too, only what is demanded counts.
  const needs = [{ ...scope, lines: [], unknown: [{ line: "x deleted", broadening: false }] }];
  const unknownAt = (level: "broadening" | "access") =>
    judgeApproval(needs, { level, approvals: [], now: NOW }).map(({ unknown }) => unknown);
  expect(unknownAt("access")).toEqual([["x deleted"]]);
  expect(unknownAt("broadening")).toEqual([]);
  const both = [{ ...needs[0]!, lines: [{ line: "y activated", broadening: true }] }];
  expect(judgeApproval(both, { level: "broadening", approvals: [], now: NOW })[0]?.unknown).toEqual([]);
});

test("the strictest demand wins, and a misspelt one is an error", () => {
  expect(strictest([])).toBe("never");
  expect(strictest(["never", "access", "broadening"])).toBe("access");
  expect(approvalLevel("broadening", "--require-approval")).toBe("broadening");
  for (const text of ["brodening", "Access", "", 1, null])
    expect(() => approvalLevel(text, "TENANCY_REQUIRE_APPROVAL")).toThrow(
      expect.objectContaining({ code: "TENANCY_APPROVAL_LEVEL" }) as Error,
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
    "gains vss.format_disks (destructive)",
    "gains vss.new_one (unknown right)",
    "gains vss_scope *",
    "gains web access",
    "level raised to 9",
    "two_factor none",
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
  expect(grantedBeyond(kept, {}, ["vss.a", "vss.b"])).toEqual(["gains vss.a (unknown right)"]);
  const later = jane({ after: { permissions: UNKNOWN } });
  expect(grantedBeyond(later, {}, ["vss.a"])).toEqual([]);
});
