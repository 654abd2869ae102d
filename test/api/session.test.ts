import { otpRequired, type TenancyError } from "../../src/problems";
import { empty, json, type Seen, SESSION, startService } from "../support/scripted-service";
import { TestClock } from "../support/test-clock";
import { clientOf, failure } from "../support/test-client";
import { thrown } from "../support/thrown";

const LOG_IN = "POST /api/oauth2/token";
const ACCOUNTS = "GET /api/account";
const OTP_REQUIRED = json(401, { status: 401, message: "otp" }, { "X-Service-OTP": "required" });
const TOTP_SECRET = "JBSW Y3DP ehpk 3pxp";
const own = { kind: "password", username: "system", password: "correct horse" } as const;

test("many first requests at once log in once", async () => {
  const service = await startService({ [ACCOUNTS]: json(200, []) });
  const client = clientOf(service);
  await Promise.all(Array.from({ length: 20 }, () => client.accounts.list()));
  expect(service.requests(LOG_IN)).toHaveLength(1);
  expect(JSON.parse(service.requests(LOG_IN)[0]?.body ?? "")).toEqual({
    grant_type: "password",
    username: "system",
    password: "correct horse",
  });
  expect(service.requests(LOG_IN)[0]?.headers).not.toHaveProperty("authorization");
});

test("nothing is sent before the first call, and health needs no log-in", async () => {
  const service = await startService({ "GET /api/status": json(200, { status: 200 }) });
  const client = clientOf(service);
  expect(service.seen).toHaveLength(0);
  await client.status();
  expect(service.requests(LOG_IN)).toHaveLength(0);
});

test("a session is renewed before it ends", async () => {
  const clock = new TestClock();
  const service = await startService({
    [ACCOUNTS]: json(200, []),
    [LOG_IN]: [json(201, { ...SESSION, expires_in: 100 }), json(201, { access_token: "0/second" })],
  });
  const client = clientOf(service, { clock });
  await client.accounts.list();
  clock.advance(89_000);
  await client.accounts.list();
  expect(service.requests(LOG_IN)).toHaveLength(1);
  clock.advance(2_000);
  await client.accounts.list();
  expect(service.requests(LOG_IN)).toHaveLength(2);
  expect(service.seen.at(-1)?.headers.authorization).toBe("Bearer 0/second");
  clock.advance(3_500_000);
  await client.accounts.list();
  expect(service.requests(LOG_IN)).toHaveLength(2);
});

test("a session that the service forgot is renewed once for all requests that it fails", async () => {
  let valid = "0/first";
  const service = await startService({
    [LOG_IN]: [json(201, { access_token: "0/first" }), json(201, { access_token: "0/second" })],
    [ACCOUNTS]: (response, request) =>
      (request.headers.authorization === `Bearer ${valid}` ? json(200, []) : json(401, {}))(
        response,
        request,
      ),
  });
  const client = clientOf(service);
  await client.accounts.list();
  valid = "0/second";
  await Promise.all([client.accounts.list(), client.accounts.list(), client.accounts.list()]);
  expect(service.requests(LOG_IN)).toHaveLength(2);
});

test("a 401 that stays after a new log-in is final", async () => {
  const service = await startService({ [ACCOUNTS]: json(401, { message: "no API access" }) });
  expect(await failure(clientOf(service).accounts.list())).toMatchObject({
    code: "TENANCY_API_UNAUTHENTICATED",
    detail: "The service says: no API access",
  });
  expect(service.requests(LOG_IN)).toHaveLength(2);
  expect(service.requests(ACCOUNTS)).toHaveLength(2);
});

test("a wrong password is tried once in a run, so that nobody is locked out", async () => {
  const service = await startService({ [LOG_IN]: json(401, { message: "bad credentials" }) });
  const client = clientOf(service);
  for (let round = 0; round < 3; round++)
    expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_UNAUTHENTICATED" });
  expect(service.requests(LOG_IN)).toHaveLength(1);
});

test("a log-in is repeated while the service is busy", async () => {
  const service = await startService({
    [LOG_IN]: [empty(503), json(201, SESSION)],
    [ACCOUNTS]: json(200, []),
  });
  expect(await clientOf(service).accounts.list()).toEqual([]);
});

test("a session without a usable token is an error, not a bearer of nothing", async () => {
  const service = await startService({ [LOG_IN]: [json(201, {}), json(201, { access_token: "a\nb" })] });
  const client = clientOf(service);
  expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_UNEXPECTED" });
  expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_UNEXPECTED" });
});

test("a token is sent as it is, without its line break and without a log-in", async () => {
  const service = await startService({ [ACCOUNTS]: [json(200, []), json(401, {})] });
  const client = clientOf(service, { credentials: { kind: "token", token: "1/abc+/def\n" } });
  await client.accounts.list();
  expect(service.seen[0]?.headers.authorization).toBe("Bearer 1/abc+/def");
  expect(await failure(client.accounts.list())).toMatchObject({
    code: "TENANCY_API_UNAUTHENTICATED",
    message: expect.stringContaining("token") as string,
  });
  expect(service.seen).toHaveLength(2);
});

describe("two factors", () => {
  const refusal = (words: string) => ({
    code: "TENANCY_OTP_REQUIRED",
    message: expect.stringContaining(words) as string,
  });
  const SPENT = refusal("has been used already");
  const REFUSED = refusal("does not accept this one-time password");
  test("without a code the error says what to set", async () => {
    const service = await startService({ [LOG_IN]: OTP_REQUIRED });
    const error = (await failure(clientOf(service).accounts.list())) as TenancyError;
    expect(error).toEqual(thrown(otpRequired));
    expect(error.advice).toContain("TENANCY_TOTP_SECRET");
  });

  test("a service that names its header otherwise is recognised, and the error names it", async () => {
    const service = await startService({ [LOG_IN]: json(401, {}, { "X-Vendor-OTP": "required" }) });
    expect(await failure(clientOf(service).accounts.list())).toMatchObject({
      code: "TENANCY_OTP_REQUIRED",
      detail: expect.stringContaining("x-vendor-otp") as string,
    });
  });

  test("a code goes along once, in the header that is configured, and the session is kept", async () => {
    const service = await startService({ [ACCOUNTS]: json(200, []) });
    const client = clientOf(service, { credentials: { ...own, otp: "123 456" }, otpHeader: "X-Vendor-OTP" });
    await client.accounts.list();
    await client.accounts.list();
    expect(service.requests(LOG_IN)).toHaveLength(1);
    expect(service.requests(LOG_IN)[0]?.headers["x-vendor-otp"]).toBe("123456");
    expect(service.requests(ACCOUNTS)[0]?.headers).not.toHaveProperty("x-vendor-otp");
  });

  test("a session that a code opened is used to its very end, and then the error says so", async () => {
    const clock = new TestClock();
    const service = await startService({ [ACCOUNTS]: [json(200, []), json(200, []), json(401, {})] });
    const client = clientOf(service, { credentials: { ...own, otp: "123456" }, clock });
    await client.accounts.list();
    clock.advance(3_590_000);
    await client.accounts.list();
    expect(await failure(client.accounts.list())).toMatchObject(SPENT);
    expect(service.requests(LOG_IN)).toHaveLength(1);
  });

  test("a code that was sent is never sent again, not even after a lost answer", async () => {
    const service = await startService({ [LOG_IN]: [empty(503), json(201, SESSION)] });
    const client = clientOf(service, { credentials: { ...own, otp: "123456" } });
    expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_BUSY" });
    expect(await failure(client.accounts.list())).toMatchObject(SPENT);
    expect(service.requests(LOG_IN)).toHaveLength(1);
  });

  test("a refused code is told from a missing one", async () => {
    const service = await startService({ [LOG_IN]: OTP_REQUIRED });
    const client = clientOf(service, { credentials: { ...own, otp: "123456" } });
    expect(await failure(client.accounts.list())).toMatchObject(REFUSED);
  });

  test("computed codes serve for the first log-in and for every renewal, never the same twice", async () => {
    const clock = new TestClock();
    const service = await startService({ [ACCOUNTS]: [json(200, []), json(401, {}), json(200, [])] });
    const client = clientOf(service, { credentials: { ...own, totpSecret: TOTP_SECRET }, clock });
    await client.accounts.list();
    await client.accounts.list();
    const codes = service.requests(LOG_IN).map(({ headers }) => headers["x-service-otp"]);
    expect(codes).toHaveLength(2);
    expect(new Set(codes).size).toBe(2);
  });

  const codesOf = (service: { requests: (route: string) => readonly Seen[] }) =>
    service.requests(LOG_IN).map(({ headers }) => headers["x-service-otp"]);

  test.each([
    ["asks for another one", OTP_REQUIRED],
    ["says only that the log-in failed", json(401, { message: "denied" })],
  ])(
    "a computed code that another process has used is followed by the next one: the service %s",
    async (_how, refused) => {
      const clock = new TestClock();
      const service = await startService({
        [ACCOUNTS]: json(200, []),
        [LOG_IN]: [refused, json(201, SESSION)],
      });
      const client = clientOf(service, { credentials: { ...own, totpSecret: "PFXXKIDJOMQGCIDO" }, clock });
      expect(await client.accounts.list()).toEqual([]);
      expect(new Set(codesOf(service)).size).toBe(2);
    },
  );

  test("the second refusal is followed by a third code: another alias may have used the second one", async () => {
    const service = await startService({
      [ACCOUNTS]: json(200, []),
      [LOG_IN]: [OTP_REQUIRED, OTP_REQUIRED, json(201, SESSION)],
    });
    const client = clientOf(service, {
      credentials: { ...own, totpSecret: "MJXW65DTORZGC4A" },
      clock: new TestClock(),
    });
    expect(await client.accounts.list()).toEqual([]);
    expect(new Set(codesOf(service)).size).toBe(3);
  });

  test("a secret that makes wrong codes is not tried without end", async () => {
    const service = await startService({ [LOG_IN]: OTP_REQUIRED });
    const client = clientOf(service, {
      credentials: { ...own, totpSecret: "OdZG63THONSWG4TF" },
      clock: new TestClock(),
    });
    expect(await failure(client.accounts.list())).toMatchObject(REFUSED);
    expect(await failure(client.accounts.list())).toMatchObject(REFUSED);
    expect(codesOf(service)).toHaveLength(3);
  });

  test("a wrong password beside computed codes is tried twice in a run", async () => {
    const service = await startService({ [LOG_IN]: json(401, { message: "bad credentials" }) });
    const client = clientOf(service, {
      credentials: { ...own, totpSecret: "MJQWI4DBONZXO33S" },
      clock: new TestClock(),
    });
    for (let round = 0; round < 3; round++)
      expect(await failure(client.accounts.list())).toMatchObject({ code: "TENANCY_API_UNAUTHENTICATED" });
    expect(codesOf(service)).toHaveLength(2);
  });

  test("a session for somebody else to use is opened with the next code as well", async () => {
    const service = await startService({ [LOG_IN]: [OTP_REQUIRED, json(201, SESSION)] });
    const client = clientOf(service, {
      credentials: { ...own, totpSecret: "MFXG65DIMVZA" },
      clock: new TestClock(),
    });
    expect(await client.logInAsSelf()).toMatchObject({ access_token: SESSION.access_token });
    expect(new Set(codesOf(service)).size).toBe(2);
  });

  test("logging somebody else in tells a missing code, a wrong one and a wrong password apart", async () => {
    const service = await startService({
      [LOG_IN]: [OTP_REQUIRED, OTP_REQUIRED, json(401, {}), json(201, { ...SESSION, user: { id: "s" } })],
    });
    const client = clientOf(service);
    const jane = { username: "jane@acme", password: "pw-of-jane" };
    expect(await failure(client.logIn(jane))).toMatchObject({ code: "TENANCY_OTP_REQUIRED" });
    expect(await failure(client.logIn({ ...jane, otp: "1" }))).toMatchObject(REFUSED);
    expect(await failure(client.logIn(jane))).toMatchObject({ code: "TENANCY_API_UNAUTHENTICATED" });
    expect(await client.logIn(jane)).toMatchObject({ user: { id: "s" } });
  });
});
