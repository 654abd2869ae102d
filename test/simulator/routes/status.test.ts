import { request } from "undici";
import { simulators } from "../../support/simulators";

const start = simulators();

describe("the service", () => {
  it("tells its health to anyone", async () => {
    const { anyone } = await start();
    expect(await anyone("GET", "/status")).toMatchObject({
      status: 200,
      body: { status: 200, message: "ok" },
    });
  });

  it("tells a caller with a password the kind of credential and a serial", async () => {
    const { system } = await start();
    expect((await system("GET", "/status/authorization")).body).toMatchObject({
      type: "basic",
      serial: expect.stringMatching(/^USR1B/) as string,
      permissions: { realm: { rights: { manage_accounts: true } } },
    });
  });

  it("tells a caller with a token its account and when the token was made", async () => {
    const { account, as, withToken } = await start();
    const acme = await account("acme");
    const token = (await as("acme")("POST", "/authorization")).body;
    expect((await withToken(token.access_token)("GET", "/status/authorization")).body).toMatchObject({
      account: { serial: acme.serial, name: "acme" },
      created_at: token["created_at"],
      user: { id: acme.admin_profile_id, name: "acme" },
      permissions: { user: { rights: { manage_authorizations: true } } },
    });
  });

  it("tells no more than the spec shows where the options say so", async () => {
    const { account, as, withToken } = await start({ describeCaller: { permissions: false, user: false } });
    await account("acme");
    expect(Object.keys((await as("acme")("GET", "/status/authorization")).body)).toEqual(["type", "serial"]);
    const { access_token } = (await as("acme")("POST", "/authorization")).body;
    const described = (await withToken(access_token)("GET", "/status/authorization")).body;
    expect(Object.keys(described)).toEqual(["account", "created_at"]);
  });

  it("answers 404 to a path that it doesn't know, and 405 to a method that a path doesn't have", async () => {
    const { system } = await start();
    expect(await system("GET", "/vdisk")).toMatchObject({ status: 404, body: { status: 404 } });
    for (const [method, path, allowed] of [
      ["PUT", "/account", "GET, POST"],
      ["DELETE", "/account", "GET, POST"],
      ["POST", "/account/account:1:1", "GET, PATCH, DELETE"],
      ["POST", "/status", "GET"],
      ["GET", "/oauth2/token", "POST"],
    ] as const)
      expect(await system(method, path)).toMatchObject({ status: 405, headers: { allow: allowed } });
  });

  it("serves a schema of its calls to machines", async () => {
    const { simulator } = await start();
    for (const path of ["/schema/", "/schema"]) {
      const { statusCode, body } = await request(`${simulator.baseUrl}${path}`);
      expect(statusCode).toBe(200);
      const { links } = (await body.json()) as { links: readonly { href: string; method: string }[] };
      expect(links.find(({ href, method }) => href === "/api/account" && method === "POST")).toMatchObject({
        schema: {
          type: "object",
          required: ["name"],
          properties: {
            name: { type: "string", minLength: 1, maxLength: 64 },
            limits: { properties: { vss_num: { type: ["integer", "null"] } } },
          },
        },
      });
    }
  });
});
