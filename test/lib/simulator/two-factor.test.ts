import { Secret, TOTP } from "otpauth";
import { NO_TWO_FACTOR, spendPassword } from "../../../src/lib/simulator/two-factor";
import { simulators } from "../../support/simulators";

const start = simulators();
const secret = "3132333435363738393031323334353637383930";
const login = { grant_type: "password", username: "jane@acme", password: "secret" };
const codeAt = (timestamp: number) => new TOTP({ secret: Secret.fromHex(secret) }).generate({ timestamp });

describe("two-factor with an authenticator", () => {
  test("refuses a password alone, and asks for the code", async () => {
    const { account, user, as, anyone } = await start();
    await user(await account("acme"), "jane", { two_factor: { auth: "google", secret } });
    expect(await as("jane@acme")("GET", "/account")).toMatchObject({
      status: 401,
      headers: { "x-service-otp": "required" },
    });
    expect(await anyone("POST", "/oauth2/token", login)).toMatchObject({
      status: 401,
      headers: { "x-service-otp": "required" },
    });
    const wrongPassword = await anyone("POST", "/oauth2/token", { ...login, password: "wrong" });
    expect(wrongPassword.headers).not.toHaveProperty("x-service-otp");
  });

  test("begins a session with the right code, once", async () => {
    let now = 1_700_000_000_000;
    const { account, user, anyone, withToken } = await start({ clock: () => now });
    await user(await account("acme"), "jane", { two_factor: { auth: "google", secret } });
    const attempt = (code: string) => anyone("POST", "/oauth2/token", login, { "X-Service-OTP": code });
    expect((await attempt("000000")).status).toBe(401);
    const begun = await attempt(codeAt(now));
    expect(begun.status).toBe(201);
    expect((await withToken(begun.body.access_token)("GET", "/account")).status).toBe(200);
    expect((await attempt(codeAt(now))).status).toBe(401);
    now += 30_000;
    expect((await attempt(codeAt(now))).status).toBe(201);
    expect((await attempt(codeAt(now - 600_000))).status).toBe(401);
  });

  test("reads the code from the header that the deployment has for it", async () => {
    const { account, user, anyone } = await start({ otpHeader: "X-Blockbridge-OTP" });
    await user(await account("acme"), "jane", { two_factor: { auth: "google", secret } });
    const asked = await anyone("POST", "/oauth2/token", login);
    expect(asked.headers["x-blockbridge-otp"]).toBe("required");
    const header = { "X-Blockbridge-OTP": codeAt(Date.now()) };
    expect((await anyone("POST", "/oauth2/token", login, header)).status).toBe(201);
  });

  test("computes the codes of RFC 6238", () => {
    // Appendix B, SHA-1, the last six of eight digits.
    for (const [seconds, code] of [
      [59, "287082"],
      [1111111109, "081804"],
      [20000000000, "353130"],
    ] as const)
      expect(spendPassword({ ...NO_TWO_FACTOR, auth: "google", secret }, code, seconds * 1000)).toMatchObject(
        { spent: { step: Math.floor(seconds / 30) } },
      );
  });

  test("is set up only with a code of the device, where one is given", async () => {
    const { account, user, system } = await start();
    const jane = await user(await account("acme"), "jane");
    const setUp = (otp: string) =>
      system("PATCH", `/user-profile/${jane.id}`, { two_factor: { auth: "google", secret, otp } });
    expect(await setUp("000000")).toMatchObject({
      status: 400,
      body: { errors: [{ field: "/two_factor/otp" }] },
    });
    expect((await setUp(codeAt(Date.now()))).body).toMatchObject({ two_factor: { auth: "google" } });
  });

  test("leaves persistent tokens working, and ends with auth none", async () => {
    const { account, user, as, system, withToken } = await start();
    const jane = await user(await account("acme"), "jane");
    const token = (await as("jane@acme")("POST", "/authorization")).body.access_token;
    await system("PATCH", `/user-profile/${jane.id}`, { two_factor: { auth: "google", secret } });
    expect((await withToken(token)("GET", "/account")).status).toBe(200);
    await system("PATCH", `/user-profile/${jane.id}`, { two_factor: { auth: "none" } });
    expect((await as("jane@acme")("GET", "/account")).status).toBe(200);
  });
});

describe("two-factor with a yubikey", () => {
  test("takes each password of the bound key once", async () => {
    const { account, user, anyone } = await start();
    const otp = (tail: string) => `cccccccfhcbe${tail.padEnd(32, "c")}`;
    const jane = await user(await account("acme"), "jane", {
      two_factor: { auth: "yubikey", otp: otp("b"), secret: "00ff", private_id: "1122" },
    });
    expect(jane["two_factor"]).toEqual({
      auth: "yubikey",
      yubikey_id: "cccccccfhcbe",
      security_email: null,
    });
    const attempt = async (code: string) =>
      (await anyone("POST", "/oauth2/token", login, { "X-Service-OTP": code })).status;
    expect(await attempt(otp("d"))).toBe(201);
    expect(await attempt(otp("d"))).toBe(401);
    expect(await attempt(otp("e"))).toBe(201);
    expect(await attempt(`vvvvvvvfhcbe${"c".repeat(32)}`)).toBe(401);
  });
});
