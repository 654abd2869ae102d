/** The calls of authorizations: covers src/lib/simulator/tokens.ts, besides its own source. */
import { request } from "undici";
import { simulators } from "../../../support/simulators";

const start = simulators();

describe("a persistent token", () => {
  test("is made with a password and an empty body, and shows its secret once", async () => {
    const { as, account, withToken } = await start();
    const acme = await account("acme");
    const made = await as("acme")("POST", "/authorization");
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      app_id: null,
      access_type: "online",
      restrict: "auth",
      lifetime: null,
      serial: expect.stringMatching(/^ATH47[\dA-F]{14}$/) as string,
      id: expect.stringMatching(/^authorization:\d+:\d+$/) as string,
      user_id: acme.admin_profile_id,
      access_token_digest: expect.any(String) as string,
      expires_in: null,
      access_token: expect.stringMatching(/^1\/[A-Za-z0-9+/]{54}$/) as string,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/) as string,
    });
    const shown = (await withToken(made.body.access_token)("GET", "/authorization")).list;
    expect(shown).toHaveLength(1);
    expect(shown[0]).not.toHaveProperty("access_token");
  });

  test("never expires", async () => {
    let now = Date.now();
    const { as, account, withToken } = await start({ clock: () => now });
    await account("acme");
    const { access_token } = (await as("acme")("POST", "/authorization")).body;
    now += 100 * 365 * 24 * 3_600_000;
    expect((await withToken(access_token)("GET", "/account")).status).toBe(200);
  });

  test("is revoked by itself, while the user's others go on working", async () => {
    const { as, account, withToken } = await start();
    await account("acme");
    const first = (await as("acme")("POST", "/authorization")).body;
    const second = (await as("acme")("POST", "/authorization")).body;
    expect((await as("acme")("DELETE", `/authorization/${first.serial}`)).status).toBe(204);
    expect((await as("acme")("DELETE", `/authorization/${first.id}`)).status).toBe(204);
    expect((await withToken(first.access_token)("GET", "/account")).status).toBe(401);
    expect((await withToken(second.access_token)("GET", "/account")).status).toBe(200);
    expect((await as("acme")("GET", `/authorization/${first.serial}`)).status).toBe(410);
  });

  test("makes no other tokens, because it is restricted", async () => {
    const { as, account, withToken } = await start();
    await account("acme");
    const { access_token } = (await as("acme")("POST", "/authorization")).body;
    expect((await withToken(access_token)("POST", "/authorization")).status).toBe(403);
  });

  test("is made by a session as well", async () => {
    const { anyone, account, withToken } = await start();
    await account("acme");
    const login = { grant_type: "password", username: "acme", password: "secret" };
    const session = (await anyone("POST", "/oauth2/token", login)).body;
    expect((await withToken(session.access_token)("POST", "/authorization")).status).toBe(201);
  });

  test("needs its own right where the options say so", async () => {
    const { as, account, user } = await start({ tokenCreationNeedsRight: true });
    const acme = await account("acme");
    await user(acme, "csi", { permissions: { user: { rights: { manage_authorizations: false } } } });
    expect((await as("csi@acme")("POST", "/authorization")).status).toBe(403);
    expect((await as("acme")("POST", "/authorization")).status).toBe(201);
  });

  test("of another user is seen and revoked only with the right to manage authorizations", async () => {
    const { as, account, user } = await start();
    const acme = await account("acme");
    await user(acme, "csi");
    await user(acme, "peer", { permissions: { user: { rights: { manage_authorizations: false } } } });
    const token = (await as("csi@acme")("POST", "/authorization")).body;
    expect((await as("peer@acme")("GET", "/authorization")).list).toEqual([]);
    expect((await as("peer@acme")("DELETE", `/authorization/${token.id}`)).status).toBe(404);
    expect((await as("acme")("GET", "/authorization")).list).toHaveLength(1);
    expect((await as("acme")("DELETE", `/authorization/${token.id}`)).status).toBe(204);
  });

  test("of another account is not there", async () => {
    const { as, account } = await start();
    await account("acme");
    await account("globex");
    const token = (await as("acme")("POST", "/authorization")).body;
    expect((await as("globex")("GET", "/authorization")).list).toEqual([]);
    expect((await as("globex")("GET", `/authorization/${token.id}`)).status).toBe(404);
    expect((await as("globex")("DELETE", `/authorization/${token.id}`)).status).toBe(404);
  });

  test("cannot be revoked over the API where the options say so", async () => {
    const { as, account } = await start({ revocation: false });
    await account("acme");
    const token = (await as("acme")("POST", "/authorization")).body;
    expect((await as("acme")("DELETE", `/authorization/${token.id}`)).status).toBe(405);
  });
});

const login = { grant_type: "password", username: "acme", password: "secret" };

describe("a session", () => {
  test("is begun with a password and used as a bearer token", async () => {
    const { system, anyone, account, withToken } = await start();
    const acme = await account("acme");
    const begun = await anyone("POST", "/oauth2/token", login);
    expect(begun.status).toBe(201);
    expect(begun.body).toEqual({
      access_token: expect.stringMatching(/^0\//) as string,
      token_type: "Bearer",
      expires_in: 3600,
      user: {
        account: { serial: acme.serial, name: "acme", id: acme.id },
        id: expect.stringMatching(/^session:/) as string,
        user: { serial: expect.stringMatching(/^USR1B/) as string, name: "acme", id: acme.admin_profile_id },
      },
    });
    expect((await withToken(begun.body.access_token)("GET", "/account")).list).toHaveLength(1);
    const primary = (await system("GET", `/user-profile/${acme.admin_profile_id}`)).body;
    expect(primary.sessions).toEqual([
      {
        serial: expect.stringMatching(/^SES16[\dA-F]{14}$/) as string,
        id: (begun.body["user"] as { id: string }).id,
        created_ms: expect.any(Number) as number,
        last_ms: expect.any(Number) as number,
        addr: "127.0.0.1",
      },
    ]);
    expect(primary.seq).toBe(1);
  });

  test("ends after its lifetime, and is then no longer shown", async () => {
    let now = 5_000_000;
    const { system, anyone, account, withToken } = await start({
      clock: () => now,
      tokenLifetimeSeconds: 60,
    });
    const acme = await account("acme");
    const { access_token, expires_in } = (await anyone("POST", "/oauth2/token", login)).body;
    expect(expires_in).toBe(60);
    now += 59_999;
    expect((await withToken(access_token)("GET", "/account")).status).toBe(200);
    const shown = () => system("GET", `/user-profile/${acme.admin_profile_id}`);
    expect((await shown()).body.sessions).toMatchObject([{ created_ms: 5_000_000, last_ms: 5_059_999 }]);
    now += 1;
    expect((await withToken(access_token)("GET", "/account")).status).toBe(401);
    expect((await shown()).body.sessions).toEqual([]);
  });

  test("is refused with 401 where the password is wrong, whoever asks", async () => {
    const { anyone, account } = await start();
    await account("acme");
    const wrong = await anyone("POST", "/oauth2/token", { ...login, password: "wrong" });
    const nobody = await anyone("POST", "/oauth2/token", { ...login, username: "nobody" });
    expect(wrong.status).toBe(401);
    expect(nobody.text).toBe(wrong.text);
  });

  test("needs all three parameters, and says so of each", async () => {
    const { anyone } = await start();
    expect((await anyone("POST", "/oauth2/token", {})).body["errors"]).toEqual(
      ["/grant_type", "/username", "/password"].map((field) => ({
        type: "missing",
        field,
        msg: "must be present",
      })),
    );
    expect((await anyone("POST", "/oauth2/token", { ...login, grant_type: "magic" })).status).toBe(400);
  });
});

describe("the service", () => {
  test("tells its health to anyone", async () => {
    const { anyone } = await start();
    expect(await anyone("GET", "/status")).toMatchObject({
      status: 200,
      body: { status: 200, message: "ok" },
    });
  });

  test("tells a caller with a password the kind of credential and a serial", async () => {
    const { system } = await start({ describeCaller: { permissions: true } });
    expect((await system("GET", "/status/authorization")).body).toMatchObject({
      type: "basic",
      serial: expect.stringMatching(/^USR1B/) as string,
      permissions: { realm: { rights: { manage_accounts: true } } },
    });
  });

  test("tells a caller with a token its account and when the token was made", async () => {
    const { account, as, withToken } = await start({ describeCaller: { permissions: true, user: true } });
    const acme = await account("acme");
    const token = (await as("acme")("POST", "/authorization")).body;
    expect((await withToken(token.access_token)("GET", "/status/authorization")).body).toMatchObject({
      account: { serial: acme.serial, name: "acme" },
      created_at: token["created_at"],
      user: { id: acme.admin_profile_id, name: "acme" },
      permissions: { user: { rights: { manage_authorizations: true } } },
    });
  });

  test("tells no more than the specification shows, unless the options say so", async () => {
    const { account, as, withToken } = await start();
    await account("acme");
    expect(Object.keys((await as("acme")("GET", "/status/authorization")).body)).toEqual(["type", "serial"]);
    const { access_token } = (await as("acme")("POST", "/authorization")).body;
    const described = (await withToken(access_token)("GET", "/status/authorization")).body;
    expect(Object.keys(described)).toEqual(["account", "created_at"]);
  });

  test("answers 404 to a path that it doesn't know, and 405 to a method that a path doesn't have", async () => {
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

  test("serves a schema of its calls to machines", async () => {
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
