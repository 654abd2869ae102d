import { simulators } from "../../support/simulators";

const start = simulators();

describe("a persistent token", () => {
  it("is made with a password and an empty body, and shows its secret once", async () => {
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

  it("never expires", async () => {
    let now = Date.now();
    const { as, account, withToken } = await start({ clock: () => now });
    await account("acme");
    const { access_token } = (await as("acme")("POST", "/authorization")).body;
    now += 100 * 365 * 24 * 3_600_000;
    expect((await withToken(access_token)("GET", "/account")).status).toBe(200);
  });

  it("is revoked by itself, while the user's others go on working", async () => {
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

  it("makes no other tokens, because it is restricted", async () => {
    const { as, account, withToken } = await start();
    await account("acme");
    const { access_token } = (await as("acme")("POST", "/authorization")).body;
    expect((await withToken(access_token)("POST", "/authorization")).status).toBe(403);
  });

  it("is made by a session as well", async () => {
    const { anyone, account, withToken } = await start();
    await account("acme");
    const login = { grant_type: "password", username: "acme", password: "secret" };
    const session = (await anyone("POST", "/oauth2/token", login)).body;
    expect((await withToken(session.access_token)("POST", "/authorization")).status).toBe(201);
  });

  it("needs its own right where the options say so", async () => {
    const { as, account, user } = await start({ mintingNeedsRight: true });
    const acme = await account("acme");
    await user(acme, "csi", { permissions: { user: { rights: { manage_authorizations: false } } } });
    expect((await as("csi@acme")("POST", "/authorization")).status).toBe(403);
    expect((await as("acme")("POST", "/authorization")).status).toBe(201);
  });

  it("of another user is seen and revoked only with the right to manage authorizations", async () => {
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

  it("of another account is not there", async () => {
    const { as, account } = await start();
    await account("acme");
    await account("globex");
    const token = (await as("acme")("POST", "/authorization")).body;
    expect((await as("globex")("GET", "/authorization")).list).toEqual([]);
    expect((await as("globex")("GET", `/authorization/${token.id}`)).status).toBe(404);
    expect((await as("globex")("DELETE", `/authorization/${token.id}`)).status).toBe(404);
  });

  it("cannot be revoked over the API where the options say so", async () => {
    const { as, account } = await start({ revocation: false });
    await account("acme");
    const token = (await as("acme")("POST", "/authorization")).body;
    expect((await as("acme")("DELETE", `/authorization/${token.id}`)).status).toBe(405);
  });
});
