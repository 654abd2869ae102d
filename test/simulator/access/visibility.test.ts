import { simulators } from "../../support/simulators";

const start = simulators();

describe("accounts are isolated from each other:", () => {
  it("a tenant lists its own account and users alone", async () => {
    const { account, user, as } = await start();
    const acme = await account("acme");
    const globex = await account("globex");
    await user(acme, "jane");
    await user(globex, "bob");
    expect((await as("acme")("GET", "/account")).list.map(({ name }) => name)).toEqual(["acme"]);
    expect((await as("acme")("GET", "/user-profile")).list.map(({ login }) => login)).toEqual([
      "acme",
      "jane@acme",
    ]);
    expect((await as("acme")("GET", "/account?name=globex")).list).toEqual([]);
  });

  it("another's records are not there, to read, change or delete", async () => {
    const { account, user, as, system } = await start();
    await account("acme");
    const globex = await account("globex");
    const bob = await user(globex, "bob");
    for (const [method, path] of [
      ["GET", `/account/${globex.id}`],
      ["GET", `/account/${globex.serial}/usage`],
      ["PATCH", `/account/${globex.id}`],
      ["GET", `/user-profile/${bob.id}`],
      ["PATCH", `/user-profile/${bob.serial}`],
      ["DELETE", `/user-profile/${bob.id}`],
    ] as const)
      expect(await as("acme")(method, path, method === "PATCH" ? {} : undefined)).toMatchObject({
        status: 404,
      });
    await system("DELETE", `/user-profile/${bob.id}`);
    expect((await as("acme")("GET", `/user-profile/${bob.id}`)).status).toBe(404);
  });

  it("a user for another account is refused, whether that account is there or not", async () => {
    const { account, as } = await start();
    await account("acme");
    const globex = await account("globex");
    const create = (account_id: string) =>
      as("acme")("POST", "/user-profile", { username: "eve", account_id });
    const [there, notThere] = [await create(globex.id), await create("account:1:999")];
    expect(there.status).toBe(403);
    expect(notThere.text).toBe(there.text);
  });

  it("who may manage accounts sees and changes all", async () => {
    const { account, user, as } = await start();
    const globex = await account("globex");
    const acme = await account("acme");
    await user(acme, "ops", { permissions: { realm: { rights: { manage_accounts: true } } } });
    const ops = as("ops@acme");
    expect((await ops("GET", "/account")).list).toHaveLength(3);
    const changed = await ops("PATCH", `/account/${globex.id}`, { limits: { vss_num: 1 } });
    expect(changed.status).toBe(200);
    expect((await ops("DELETE", `/account/${globex.id}`)).status).toBe(204);
    expect((await ops("GET", `/account/${globex.id}`)).status).toBe(410);
  });
});
