import { simulators } from "../../support/simulators";

const start = simulators();
const login = { grant_type: "password", username: "acme", password: "secret" };

describe("a session", () => {
  it("is begun with a password and used as a bearer token", async () => {
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

  it("ends after its lifetime, and is then no longer shown", async () => {
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

  it("is refused with 401 where the password is wrong, whoever asks", async () => {
    const { anyone, account } = await start();
    await account("acme");
    const wrong = await anyone("POST", "/oauth2/token", { ...login, password: "wrong" });
    const nobody = await anyone("POST", "/oauth2/token", { ...login, username: "nobody" });
    expect(wrong.status).toBe(401);
    expect(nobody.text).toBe(wrong.text);
  });

  it("needs all three parameters, and says so of each", async () => {
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
