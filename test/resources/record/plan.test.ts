import { checkRecord } from "../../../src/resources/record/plan";
import { userProfile } from "../../../src/resources/user-profile/description";
import { UNKNOWN, type ObjectValue } from "../../../src/values";

const findings = (config: ObjectValue) =>
  checkRecord(userProfile.attributes, config).map(({ severity, attribute }) => [
    severity,
    attribute?.join("."),
  ]);

test("what is both set and unset is an error; what is not known, or null, is not set", () => {
  expect(findings({ email: "a@b.example", unset: ["email"] })).toEqual([["error", "email"]]);
  expect(findings({ password_wo: "secret", unset: ["password_wo"] })).toEqual([["error", "password_wo"]]);
  expect(
    findings({ two_factor_security_email: "a@b.example", unset: ["two_factor_security_email"] }),
  ).toEqual([["error", "two_factor_security_email"]]);
  expect(findings({ email: null, sms: UNKNOWN, unset: ["email", "sms"] })).toEqual([]);
  expect(findings({ email: "a@b.example", unset: UNKNOWN })).toEqual([]);
  expect(findings({ username: "jane", unset: ["username"] })).toEqual([]);
});

test("a star in `unset` never contradicts what is declared", () => {
  expect(findings({ email: "a@b.example", xref: "hr-17", unset: ["*"] })).toEqual([]);
});

test("a version without a value earns a warning", () => {
  expect(findings({ password_wo_version: 1 })).toEqual([["warning", "password_wo_version"]]);
  expect(checkRecord(userProfile.attributes, { password_wo_version: 1 })).toMatchObject([
    { code: "TENANCY_VERSION_WITHOUT_VALUE" },
  ]);
  expect(findings({ password_wo_version: 1, password_wo: UNKNOWN })).toEqual([]);
  expect(findings({ two_factor_otp_wo_version: 1 })).toEqual([["warning", "two_factor_otp_wo_version"]]);
});
