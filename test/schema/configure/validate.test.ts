import { worded } from "../../../src/problems";
import { account } from "../../../src/resources/account/description";
import { userProfile } from "../../../src/resources/user-profile/description";
import { authorization } from "../../../src/resources/authorization/description";
import { provider } from "../../../src/service/provider";
import { ALL_RIGHTS, explainRight, successorsOf } from "../../../src/service/rights";
import { validate, type Description } from "../../../src/schema";
import { UNKNOWN, type ObjectValue } from "../../../src/lib/values";

const findings = ({ attributes }: Description, config: ObjectValue) =>
  validate(attributes, config).map(({ attribute, summary }) => `${attribute?.join(".")}: ${summary}`);

test.each<[string, Description, ObjectValue, string]>([
  ["an account's name", account, { name: "n".repeat(65) }, "name: must have 1 to 64 characters, not 65"],
  ["an empty name", account, { name: "" }, "name: must have 1 to 64 characters, not 0"],
  ["a short password", account, { password_wo: "ab" }, "password_wo: must have 3 characters or more, not 2"],
  [
    "a long password of a user",
    userProfile,
    { password_wo: "p".repeat(65) },
    "password_wo: must have 1 to 64 characters, not 65",
  ],
  ["a username with an @", userProfile, { username: "a@b" }, 'username: must not contain "@"'],
  ["an empty xref", userProfile, { xref: "" }, "xref: must have 1 to 256 characters, not 0"],
  ["an e-mail address", userProfile, { email: "jane" }, "email: must be an e-mail address"],
  ["a uuid", account, { uuid: "42" }, "uuid: must be a uuid such as 6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
  [
    "a kind of second factor",
    userProfile,
    { two_factor_auth: "sms" },
    'two_factor_auth: must be one of "none", "yubikey", "google"',
  ],
  [
    "a shared secret",
    userProfile,
    { two_factor_secret_wo: "xyz" },
    "two_factor_secret_wo: must be hexadecimal characters, or base32 as authenticators show it",
  ],
  [
    "a contact's phone",
    account,
    { primary_contact: { phone: "5".repeat(25) } },
    "primary_contact.phone: must have 0 to 24 characters, not 25",
  ],
  [
    "a duration",
    authorization,
    { retain_previous_for: "a week" },
    'retain_previous_for: must be a duration such as "7d" or "30s"',
  ],
  [
    "a time-out of nothing",
    provider,
    { request_timeout: "0s" },
    'request_timeout: must be a duration above zero such as "30s"',
  ],
  [
    "the name of a header",
    provider,
    { otp_header: "X-OTP: 1" },
    'otp_header: must be the name of a header such as "X-Service-OTP"',
  ],
  ["a negative count", authorization, { retain_previous: -1 }, "retain_previous: must be 0 or more, not -1"],
  [
    "a quota of more than 64 bits",
    account,
    { limits_vss_num: 2n ** 63n },
    "limits_vss_num: must be 9223372036854775807 or less",
  ],
  ["a quota beyond measure", account, { level: 10n ** 400n }, "level: must be 9223372036854775807 or less"],
  [
    "a number below 64 bits",
    account,
    { level: -(10n ** 400n) },
    "level: must be -9223372036854775808 or more",
  ],
])("the limits of the API are checked: %s", (_what, description, config, finding) => {
  expect(findings(description, config)).toEqual([finding]);
});

test("only what is nullable can be unset, and the names are listed", () => {
  const [finding] = findings(userProfile, { unset: ["login"] });
  expect(finding).toBe(
    'unset: must be one of "email", "sms", "two_factor_security_email", "xref", "password_wo", "*"',
  );
  expect(findings(account, { unset: ["billing_contact", "limits_vss_num"] })).toEqual([]);
});

test("a text in place of a list is not judged as an element: another check tells that it is no list", () => {
  expect(findings(account, { unset: "x" })).toEqual([]);
});

test("a star stands alone, and is refused beside a value that is not known yet, too", () => {
  expect(findings(account, { unset: ["*"] })).toEqual([]);
  expect(findings(account, { unset: ["*", "billing_contact"] })).toEqual([
    'unset: "*" must be the only element',
  ]);
  expect(findings(userProfile, { vss_scope: ["*"], node_scope: ["*", "node:1:7"] })).toEqual([
    'node_scope: "*" must be the only element',
  ]);
  expect(findings(userProfile, { vss_scope: ["*", UNKNOWN] })).toEqual([
    'vss_scope: "*" must be the only element',
  ]);
});

test("a right that does not exist is named with the nearest one, and with what that one lets its holder do", () => {
  const [finding] = worded(
    validate(userProfile.attributes, { permissions: { "vss.manage_snapshot": true } }),
  );
  expect(finding).toMatchObject({
    code: "TENANCY_UNKNOWN_RIGHT",
    attribute: ["permissions", "vss.manage_snapshot"],
    advice: `Did you mean "vss.manage_snapshots"? ${explainRight("vss.manage_snapshots")}`,
  });
  expect(findings(userProfile, { permissions: { manage_rules: UNKNOWN } })).toEqual([
    'permissions.manage_rules: there is no right "manage_rules"',
  ]);
});

test("a misspelt name among those to unset, or a misspelt choice, is answered with the nearest one", () => {
  expect(validate(account.attributes, { unset: ["limits_vss_nun"] })).toMatchObject([
    { attribute: ["unset"], advice: 'Did you mean "limits_vss_num"?' },
  ]);
  expect(validate(userProfile.attributes, { undeclared_rights: "kep" })).toMatchObject([
    { attribute: ["undeclared_rights"], advice: 'Did you mean "keep"?' },
  ]);
  expect(validate(account.attributes, { unset: ["password"] })[0]?.advice).toBeUndefined();
});

test("an end is a day of the calendar, of a right that exists", () => {
  const problems = (config: object) =>
    validate(userProfile.attributes, config as never).map(({ summary }) => summary);
  expect(
    problems({ access_until: "2028-02-29", permissions_until: { "vss.format_disks": "2026-12-04" } }),
  ).toEqual([]);
  expect(problems({ access_until: "2026-02-29" })).toEqual(['must be a day such as "2026-12-04"']);
  expect(
    problems({ permissions_until: { "vss.format_disks": "soon", "vss.nothing": "2026-12-04" } }),
  ).toEqual(['there is no right "vss.nothing"', 'must be a day such as "2026-12-04"']);
  const [deprecated = ""] = ALL_RIGHTS.filter((right) => successorsOf(right) !== undefined);
  expect(
    validate(userProfile.attributes, { permissions_until: { [deprecated]: "2026-12-04" } }),
  ).toMatchObject([{ code: "TENANCY_DEPRECATED_RIGHT", attribute: ["permissions_until", deprecated] }]);
});

test("a deprecated right that is granted without its successors earns a warning, one that is denied does not", () => {
  const deprecated = ALL_RIGHTS.filter((right) => successorsOf(right) !== undefined);
  expect(deprecated).not.toEqual([]);
  for (const right of deprecated) {
    expect(validate(userProfile.attributes, { permissions: { [right]: true } })).toMatchObject([
      { severity: "warning", code: "TENANCY_DEPRECATED_RIGHT", attribute: ["permissions", right] },
    ]);
    expect(findings(userProfile, { permissions: { [right]: false } })).toEqual([]);
    const all = [right, ...(successorsOf(right) ?? [])].map((one) => [one, true]);
    expect(findings(userProfile, { permissions: Object.fromEntries(all) as ObjectValue })).toEqual([]);
  }
});

test("integers may have 64 bits", () => {
  expect(findings(account, { limits_vss_num: 2n ** 63n - 1n, level: -(2n ** 63n) })).toEqual([]);
});

test("an address may be empty, which takes it away", () => {
  expect(findings(userProfile, { email: "" })).toEqual([]);
});

test("what is not known is not judged", () => {
  expect(findings(account, { name: UNKNOWN, unset: [UNKNOWN] })).toEqual([]);
});
