import { simulators } from "../../support/simulators";

const start = simulators();
const switchUserHeader = "X-Blockbridge-SU";

describe("switching the user", () => {
  test("makes a request as the user whose login the header names", async () => {
    const { simulator, account, user, system, withToken } = await start({
      switchUserHeader,
      describeCaller: { user: true },
    });
    const csi = await user(await account("acme"), "csi");
    const login = { grant_type: "password", username: simulator.username, password: simulator.password };
    const admin = withToken((await system("POST", "/oauth2/token", login)).body.access_token);
    const asCsi = { [switchUserHeader]: "csi@acme" };
    const described = await admin("GET", "/status/authorization", undefined, asCsi);
    expect(described.body).toMatchObject({ user: { id: csi.id }, account: { name: "acme" } });
    const created = await admin("POST", "/authorization", undefined, asCsi);
    expect(created.body).toMatchObject({ user_id: csi.id });
    expect((await admin("POST", "/account", { name: "globex" }, asCsi)).status).toBe(403);
  });

  test("is ignored by a service that knows no such header", async () => {
    const { account, system } = await start();
    await account("acme");
    const asAcme = { [switchUserHeader]: "acme" };
    expect((await system("GET", "/account", undefined, asAcme)).list).toHaveLength(2);
  });

  test("is refused to a caller who lacks the right, for a user who doesn't allow it, and for an equal or higher one", async () => {
    const { account, user, as, system } = await start({ switchUserHeader });
    const acme = await account("acme");
    await account("globex");
    await user(acme, "jane");
    await user(acme, "bob", { allow_su: false });
    await user(acme, "chief", { level: 2000 });
    const attempt = async (ask: typeof system, login: string) =>
      (await ask("GET", "/account", undefined, { [switchUserHeader]: login })).status;
    expect(await attempt(as("jane@acme"), "acme")).toBe(403);
    expect(await attempt(system, "bob@acme")).toBe(403);
    expect(await attempt(system, "chief@acme")).toBe(403);
    expect(await attempt(system, "nobody")).toBe(403);
    expect(await attempt(as("acme"), "globex")).toBe(403);
    expect(await attempt(as("acme"), "jane@acme")).toBe(200);
  });
});
