import { providerSettingsOf, passwordUsername } from "../../src/service";
import type { ObjectValue } from "../../src/lib/values";

const ENVIRONMENT = {
  TENANCY_BASE_URL: "https://storage.example/",
  TENANCY_USERNAME: "system",
  TENANCY_PASSWORD: "secret",
  TENANCY_OWNER: "acme-platform",
};

const settings = (config: ObjectValue, environment: Record<string, string> = {}) =>
  providerSettingsOf(config, { ...ENVIRONMENT, ...environment });

test("configuration beats the environment", () => {
  const { origin, owner, credentials } = settings({
    base_url: "https://other.example:8443",
    owner: "other",
    username: "deployer@ops",
    password: "its own",
  });
  expect(origin).toBe("https://other.example:8443");
  expect(owner).toBe("other");
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

test("a configured password goes with the user of the environment, also where a token stands beside", () => {
  expect(settings({ password: "its own" }, { TENANCY_TOKEN: "1/token" }).credentials).toMatchObject({
    username: "system",
    password: "its own",
  });
});

test("a token is sent without the line break that files and secrets of CI systems end in", () => {
  expect(settings({}, { TENANCY_TOKEN: "1/token\n" }).credentials).toEqual({
    kind: "token",
    token: "1/token",
  });
  expect(settings({ token: " 1/other\r\n" }).credentials).toEqual({ kind: "token", token: "1/other" });
});

test("who logs in is known with a password alone", () => {
  expect(passwordUsername(settings({ username: "jane", password: "hers" }))).toBe("jane");
  expect(passwordUsername(settings({ token: "1/token" }))).toBeUndefined();
});

test("a token and a user contradict each other", () => {
  expect(() => settings({ token: "1/t", username: "jane" })).toThrow(/either a token or a username/);
});

test("an empty variable of the environment is none", () => {
  expect(settings({}, { TENANCY_TOKEN: "", TENANCY_OWNER: "" })).toMatchObject({
    credentials: { kind: "password" },
    owner: undefined,
  });
  expect(() => settings({}, { TENANCY_PASSWORD: "" })).toThrow(/a username, but no password/);
  expect(() => settings({}, { TENANCY_USERNAME: "" })).toThrow(/no credentials/);
  expect(() => settings({}, { TENANCY_BASE_URL: "" })).toThrow(/no base_url/);
});

test("one-time passwords come with the password", () => {
  const { credentials } = settings({}, { TENANCY_OTP: "123456", TENANCY_TOTP_SECRET: "JBSWY3DPEHPK3PXP" });
  expect(credentials).toMatchObject({ otp: "123456", totpSecret: "JBSWY3DPEHPK3PXP" });
});

test("numbers and durations are read", () => {
  expect(
    settings({
      max_concurrency: 3,
      retry_timeout: "0s",
      request_timeout: "1m30s",
    }),
  ).toMatchObject({
    maxConcurrency: 3,
    retryTimeoutMs: 0,
    requestTimeoutMs: 90_000,
  });
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

describe("TENANCY_ALLOWED_ORIGINS", () => {
  const allowed = (list: string, base = "https://storage.example") =>
    settings({ base_url: base }, { TENANCY_ALLOWED_ORIGINS: list });

  test.each([
    ["https://storage.example", "https://storage.example"],
    ["https://storage.example/", "https://storage.example/"],
    ["HTTPS://Storage.Example:443/", "https://storage.example/behind/a/path"],
    ["https://storage.example", "https://STORAGE.example:443"],
    [" https://other.example , https://storage.example:8443,", "https://storage.example:8443"],
    ["http://localhost:80", "http://localhost"],
  ])("%j allows %s", (list, base) => {
    expect(allowed(list, base).baseUrl).toBe(base);
  });

  test.each([
    ["https://other.example", "https://storage.example"],
    ["https://storage.example", "https://storage.example.evil.example"],
    ["https://storage.example", "https://storage.example:8443"],
    ["https://storage.example:8443", "https://storage.example"],
    ["https://localhost", "http://localhost"],
    ["https://storage.example", "https://sub.storage.example"],
  ])("%j does not allow %s", (list, base) => {
    expect(() => allowed(list, base)).toThrow(
      expect.objectContaining({
        code: "TENANCY_ORIGIN_NOT_ALLOWED",
        message: `TENANCY_ALLOWED_ORIGINS does not allow ${new URL(base).origin}`,
      }) as Error,
    );
  });

  test.each([
    ["storage.example", /an entry is no origin/],
    ["https://storage.example/path", /"https:\/\/storage.example\/path" is no origin/],
    ["https://storage.example,https://*", /no origin/],
    ["ftp://storage.example", /no origin/],
    ["https://storage.example?x", /no origin/],
    ["https://user:secret@storage.example", /an entry is no origin/],
    [" , ", /contains no origin/],
  ])("%j is a mistake, and allows nothing", (list, why) => {
    expect(() => allowed(list)).toThrow(why);
  });

  test("allows every service where it is empty or not set", () => {
    expect(allowed("").origin).toBe("https://storage.example");
  });
});

describe("credentials for one service", () => {
  const OWN = {
    TENANCY_USERNAME__STORAGE_EXAMPLE: "own",
    TENANCY_PASSWORD__STORAGE_EXAMPLE: "its own secret",
  };

  test("beat those for every service, and are used for no other one", () => {
    expect(settings({}, OWN).credentials).toMatchObject({ username: "own", password: "its own secret" });
    expect(settings({ base_url: "https://other.example" }, OWN).credentials).toMatchObject({
      username: "system",
      password: "secret",
    });
  });

  test("are never mixed with those for every service", () => {
    const plain = {
      TENANCY_TOKEN: "1/plain",
      TENANCY_OTP: "123456",
      TENANCY_TOTP_SECRET: "JBSWY3DPEHPK3PXP",
    };
    expect(settings({}, { ...plain, ...OWN }).credentials).toEqual({
      kind: "password",
      username: "own",
      password: "its own secret",
      otp: undefined,
      totpSecret: undefined,
    });
    const token = { TENANCY_TOKEN__STORAGE_EXAMPLE: "1/own" };
    expect(settings({}, token).credentials).toEqual({ kind: "token", token: "1/own" });
    expect(() => settings({}, { TENANCY_PASSWORD__STORAGE_EXAMPLE: "x" })).toThrow(
      "a password, but no username",
    );
    expect(() => settings({}, { TENANCY_USERNAME__STORAGE_EXAMPLE: "x" })).toThrow(
      expect.objectContaining({
        message: "the provider has a username, but no password",
        advice:
          "Set TENANCY_USERNAME__STORAGE_EXAMPLE and TENANCY_PASSWORD__STORAGE_EXAMPLE, or TENANCY_TOKEN__STORAGE_EXAMPLE, in the environment.",
      }) as Error,
    );
    expect(() => settings({}, { TENANCY_OTP__STORAGE_EXAMPLE: "123456" })).toThrow(/no credentials/);
  });

  test("hold all that a log-in takes, and the certificates besides", () => {
    const all = {
      ...OWN,
      TENANCY_OTP__STORAGE_EXAMPLE: "123456",
      TENANCY_TOTP_SECRET__STORAGE_EXAMPLE: "JBSWY3DPEHPK3PXP",
      TENANCY_CA_FILE__STORAGE_EXAMPLE: "/own.pem",
      TENANCY_CA_FILE: "/any.pem",
    };
    expect(settings({}, all)).toMatchObject({
      caFile: "/own.pem",
      credentials: { otp: "123456", totpSecret: "JBSWY3DPEHPK3PXP" },
    });
    expect(settings({}, { TENANCY_CA_FILE__STORAGE_EXAMPLE: "", TENANCY_CA_FILE: "/any.pem" }).caFile).toBe(
      "/any.pem",
    );
    // Certificates say nothing of who logs in.
    expect(settings({}, { TENANCY_CA_FILE__STORAGE_EXAMPLE: "/own.pem" }).credentials).toMatchObject({
      username: "system",
    });
  });

  test("count as not set where they are empty", () => {
    const empty = { TENANCY_PASSWORD__STORAGE_EXAMPLE: "", TENANCY_TOKEN__STORAGE_EXAMPLE: "" };
    expect(settings({}, empty).credentials).toMatchObject({ username: "system", password: "secret" });
  });

  test("give way to the configuration", () => {
    expect(settings({ username: "jane", password: "hers" }, OWN).credentials).toMatchObject({
      username: "jane",
      password: "hers",
    });
  });

  test.each([
    ["https://storage-1.eu.example:8443", "STORAGE__1_EU_EXAMPLE_8443"],
    ["https://STORAGE.example:443/base", "STORAGE_EXAMPLE"],
    ["http://127.0.0.1:8080", "127_0_0_1_8080"],
    ["http://[::1]:8080", "___1__8080"],
    ["https://a-b.example", "A__B_EXAMPLE"],
    ["https://a.b.example", "A_B_EXAMPLE"],
  ])("of %s have %s in their names", (base, name) => {
    const { credentials } = settings({ base_url: base }, { [`TENANCY_TOKEN__${name}`]: "1/own" });
    expect(credentials).toEqual({ kind: "token", token: "1/own" });
  });
});

test("where the services are restricted, the environment says whom to trust", () => {
  const config = { base_url: "https://storage.example", ca_file: "stack.pem" };
  const caFileWith = (environment: Record<string, string>) =>
    providerSettingsOf(config, { TENANCY_TOKEN: "t", ...environment }).caFile;
  const given = { TENANCY_CA_FILE: "environment.pem" };
  const restricted = { TENANCY_ALLOWED_ORIGINS: "https://storage.example" };
  expect(caFileWith(given)).toBe("stack.pem");
  expect(caFileWith({ ...given, ...restricted })).toBe("environment.pem");
  expect(caFileWith(restricted)).toBe("stack.pem");
});
