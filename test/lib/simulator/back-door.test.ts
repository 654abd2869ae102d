/** What happens behind the back of whoever uses the service, and its start: covers src/lib/simulator/service.ts and simulator.ts, besides its own source. */
import { Agent, request } from "undici";
import { SERVICE_CERTIFICATE } from "../../support/certificates";
import { simulators } from "../../support/simulators";

const start = simulators();

describe("the back door", () => {
  test("changes records as somebody else would, with a new seq", async () => {
    const { simulator, system, account, user } = await start();
    const acme = await account("acme");
    const jane = await user(acme, "jane");
    await system("GET", "/user-profile");
    simulator.records.patchProfile("jane@acme", { email: "x@acme.example", sms: "5551234", level: 9 });
    simulator.records.patchAccount("acme", { disabled: true, limits: { vss_num: 3 } });
    expect((await system("GET", `/user-profile/${jane.id}`)).body).toMatchObject({
      seq: 2,
      email: "x@acme.example",
      sms: { number: "***1234" },
      level: 9,
    });
    expect((await system("GET", `/account/${acme.id}`)).body).toMatchObject({
      disabled: true,
      limits: { vss_num: 3 },
    });
  });

  test("makes and removes records without a request", async () => {
    const { simulator, system, withToken } = await start();
    const { records } = simulator;
    records.createAccount({ name: "acme" });
    records.createProfile("acme", { username: "jane" });
    const token = records.createToken("jane@acme");
    expect((await withToken(token.access_token)("GET", "/account")).status).toBe(200);
    records.revokeToken(token.serial);
    expect((await withToken(token.access_token)("GET", "/account")).status).toBe(401);
    records.deleteProfile("jane@acme");
    expect(records.profiles.map(({ login }) => login)).toEqual(["system", "acme"]);
    records.deleteAccount("acme");
    expect((await system("GET", "/account")).list).toHaveLength(1);
    expect(records.authorizations).toEqual([]);
    expect(() => records.account("acme")).toThrow("the simulator has no account acme");
  });

  test("ends sessions before their time", async () => {
    const { simulator, anyone, withToken } = await start();
    const login = { grant_type: "password", username: "system", password: "system" };
    const { access_token } = (await anyone("POST", "/oauth2/token", login)).body;
    simulator.records.endSessions();
    expect((await withToken(access_token)("GET", "/account")).status).toBe(401);
  });
});

describe("the record of requests", () => {
  test("holds what was asked, by whom, and how it was answered", async () => {
    const seen: string[] = [];
    const { simulator, anyone, as, account } = await start({ onRequest: ({ path }) => seen.push(path) });
    await account("acme");
    simulator.clearRequests();
    await as("acme")("POST", "/user-profile", { username: "" });
    await anyone("GET", "/status");
    expect(simulator.requests).toEqual([
      {
        method: "POST",
        path: "/api/user-profile",
        status: 400,
        body: { username: "" },
        login: "acme",
      },
      { method: "GET", path: "/api/status", status: 200, body: undefined, login: undefined },
    ]);
    expect(seen).toEqual(["/api/account", "/api/user-profile", "/api/status"]);
  });
});

describe("starting", () => {
  test("says so when the port is taken", async () => {
    const { simulator } = await start();
    const port = Number(new URL(simulator.baseUrl).port);
    await expect(start({ port })).rejects.toThrow(`127.0.0.1:${port}`);
  });

  test("serves https where it is given a key and a certificate", async () => {
    const { simulator } = await start({ https: SERVICE_CERTIFICATE });
    expect(simulator.baseUrl).toMatch(/^https:/);
    const dispatcher = new Agent({ connect: { ca: SERVICE_CERTIFICATE.cert } });
    const { statusCode, body } = await request(`${simulator.baseUrl}/api/status`, { dispatcher });
    await body.dump();
    await dispatcher.close();
    expect(statusCode).toBe(200);
  });
});
