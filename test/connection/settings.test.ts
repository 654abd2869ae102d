import { settingsOf } from "../../src/connection";
import type { ObjectValue } from "../../src/values";

const ENVIRONMENT = {
  TENANCY_BASE_URL: "https://storage.example/",
  TENANCY_USERNAME: "system",
  TENANCY_PASSWORD: "secret",
  TENANCY_OWNER: "acme-platform",
};

const settings = (config: ObjectValue, environment: Record<string, string> = {}) =>
  settingsOf(config, { ...ENVIRONMENT, ...environment });

test("configuration beats the environment", () => {
  const { origin, owners, credentials } = settings({
    base_url: "https://other.example:8443",
    owner: "other",
    previous_owners: ["former"],
    username: "deployer@ops",
    password: "its own",
  });
  expect(origin).toBe("https://other.example:8443");
  expect(owners).toEqual({ current: "other", previous: ["former"] });
  expect(credentials).toMatchObject({ kind: "password", username: "deployer@ops", password: "its own" });
});

test("a token in the environment beats a password in it, and a configured user beats both", () => {
  const environment = { TENANCY_TOKEN: "1/token" };
  expect(settings({}, environment).credentials).toEqual({ kind: "token", token: "1/token" });
  expect(settings({ username: "jane" }, environment).credentials).toMatchObject({
    kind: "password",
    username: "jane",
    password: "secret",
  });
  expect(settings({ token: "1/other" }).credentials).toEqual({ kind: "token", token: "1/other" });
});

test("a token and a user contradict each other", () => {
  expect(() => settings({ token: "1/t", username: "jane" })).toThrow(/either a token or a username/);
});

test("an empty variable of the environment is none", () => {
  expect(settings({}, { TENANCY_TOKEN: "", TENANCY_OWNER: "" })).toMatchObject({
    credentials: { kind: "password" },
    owners: undefined,
  });
  expect(() => settings({}, { TENANCY_PASSWORD: "" })).toThrow(/a username, but no password/);
  expect(() => settings({}, { TENANCY_USERNAME: "" })).toThrow(/no credentials/);
  expect(() => settings({}, { TENANCY_BASE_URL: "" })).toThrow(/no base_url/);
});

test("former owners belong to an owner, which may stand in the environment", () => {
  expect(settings({ previous_owners: ["former"] }).owners?.previous).toEqual(["former"]);
  expect(settings({ previous_owners: [] }, { TENANCY_OWNER: "" }).owners).toBeUndefined();
  expect(() => settings({ previous_owners: ["former"] }, { TENANCY_OWNER: "" })).toThrow(
    "names former owners, and there is no owner",
  );
});

test("one-time passwords come with the password", () => {
  const { credentials } = settings({}, { TENANCY_OTP: "123456", TENANCY_TOTP_SECRET: "JBSWY3DPEHPK3PXP" });
  expect(credentials).toMatchObject({ otp: "123456", totpSecret: "JBSWY3DPEHPK3PXP" });
});

test("numbers and durations are read", () => {
  expect(
    settings({ max_concurrency: 3, max_retries: 0, request_timeout: "1m30s", switch_user_header: "X-Su" }),
  ).toMatchObject({ maxConcurrency: 3, maxRetries: 0, requestTimeoutMs: 90_000, switchUserHeader: "X-Su" });
});

test.each([
  ["http://storage.example", /loopback|plain http/i],
  ["storage.example", /url|address/i],
  ["ftp://storage.example", /http/i],
])("%s is refused", (url, why) => {
  expect(() => settings({ base_url: url })).toThrow(why);
});

test("an address that cannot be used is told with the variable that holds it", () => {
  expect(() => settings({}, { TENANCY_BASE_URL: "storage" })).toThrow(/^TENANCY_BASE_URL cannot be used/);
  expect(() => settings({}, { TENANCY_BASE_URL: "http://storage.example" })).toThrow(
    /^TENANCY_BASE_URL uses/,
  );
  expect(() => settings({ base_url: "storage" })).toThrow(/^base_url cannot be used/);
});
