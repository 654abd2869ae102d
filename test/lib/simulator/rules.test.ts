/** Rules that differ from service to service: covers src/lib/simulator/options.ts, besides its own source. */
import { simulators, type Started } from "../../support/simulators";
import type { Shown } from "../../support/service-client";

const start = simulators();

/** A user of acme who has all rights of a new user but the ones named. */
async function without(started: Started, acme: Shown, username: string, ...rights: readonly string[]) {
  const permissions: Record<string, { rights: Record<string, boolean> }> = {};
  for (const name of rights) {
    const [group = "", right = ""] = name.split(".");
    (permissions[group] ??= { rights: {} }).rights[right] = false;
  }
  const profile = await started.user(acme, username, { permissions });
  return { profile, ask: started.as(`${username}@acme`) };
}

describe("the rights of a caller", () => {
  test("to manage accounts are needed to create, delete and limit them", async () => {
    const { account, as } = await start();
    const acme = await account("acme");
    expect(await as("acme")("POST", "/account", { name: "globex" })).toMatchObject({
      status: 403,
      body: { status: 403, message: "permission realm.manage_accounts is required" },
    });
    expect((await as("acme")("DELETE", `/account/${acme.id}`)).status).toBe(403);
    const limits = { limits: { vss_num: 1000 } };
    expect((await as("acme")("PATCH", `/account/${acme.id}`, limits)).status).toBe(403);
  });

  test("to modify contact settings are needed for the contacts of one's own account", async () => {
    const started = await start();
    const acme = await started.account("acme");
    const contact = { primary_contact: { company: "Acme" } };
    expect((await started.as("acme")("PATCH", `/account/${acme.id}`, contact)).status).toBe(200);
    const { ask } = await without(started, acme, "jane", "account.modify_contact_settings");
    expect((await ask("PATCH", `/account/${acme.id}`, contact)).status).toBe(403);
  });

  test("to reset passwords are needed for that of an account, but not by its primary user", async () => {
    const started = await start();
    const acme = await started.account("acme");
    const { ask } = await without(started, acme, "jane", "user.reset_user_password");
    const change = { password: "changed" };
    expect(await ask("PATCH", `/account/${acme.id}`, change)).toMatchObject({
      status: 403,
      body: { message: "permission user.reset_user_password is required" },
    });
    const permissions = { user: { rights: { reset_user_password: false } } };
    await started.system("PATCH", `/user-profile/${acme.admin_profile_id}`, { permissions });
    expect((await started.as("acme")("PATCH", `/account/${acme.id}`, change)).status).toBe(200);
  });

  test("to manage users are needed to create, change and delete them", async () => {
    const started = await start();
    const acme = await started.account("acme");
    const bob = await started.user(acme, "bob");
    const { ask } = await without(started, acme, "jane", "user.manage_users");
    expect((await ask("POST", "/user-profile", { username: "eve" })).status).toBe(403);
    expect((await ask("DELETE", `/user-profile/${bob.id}`)).status).toBe(403);
    expect((await ask("PATCH", `/user-profile/${bob.id}`, { level: 1 })).status).toBe(403);
    const manager = started.as("acme");
    expect((await manager("PATCH", `/user-profile/${bob.id}`, { level: 1 })).status).toBe(200);
    expect((await manager("DELETE", `/user-profile/${bob.id}`)).status).toBe(204);
  });

  test.each([
    ["user.reset_user_password", { password: "changed" }],
    ["user.reset_user_two_factor", { two_factor: { security_email: "s@acme.example" } }],
    ["user.modify_user_contact_settings", { email: "e@acme.example" }],
  ])("%s is needed for that part of another user, and not for one's own", async (right, change) => {
    const started = await start();
    const acme = await started.account("acme");
    const bob = await started.user(acme, "bob");
    const { ask, profile } = await without(started, acme, "jane", right);
    expect((await ask("PATCH", `/user-profile/${bob.id}`, change)).status).toBe(403);
    expect((await ask("PATCH", `/user-profile/${profile.id}`, change)).status).toBe(200);
  });

  test("cannot be widened by the caller", async () => {
    const started = await start();
    const acme = await started.account("acme");
    const { ask, profile } = await without(started, acme, "jane", "user.manage_users");
    const wider = { permissions: { user: { rights: { manage_users: true } } } };
    expect((await ask("PATCH", `/user-profile/${profile.id}`, wider)).status).toBe(403);
  });

  test("beyond the account can be granted only by a caller who has them", async () => {
    const { account, as, system } = await start();
    const acme = await account("acme");
    const permissions = { realm: { rights: { manage_accounts: true } } };
    const create = { username: "eve", permissions };
    expect((await as("acme")("POST", "/user-profile", create)).status).toBe(403);
    const self = `/user-profile/${acme.admin_profile_id}`;
    expect((await as("acme")("PATCH", self, { permissions })).status).toBe(403);
    expect((await system("PATCH", self, { permissions })).status).toBe(200);
  });

  test("do not reach to a user of the same account who may do more", async () => {
    const { account, user, as } = await start();
    const acme = await account("acme");
    const chief = await user(acme, "chief", { permissions: { realm: { rights: { view_logs: true } } } });
    expect((await as("acme")("PATCH", `/user-profile/${chief.id}`, { password: "taken" })).status).toBe(403);
    expect((await as("acme")("DELETE", `/user-profile/${chief.id}`)).status).toBe(403);
  });
});

describe("a caller who is not to use the API", () => {
  test("is refused with 403, by password, session and token alike", async () => {
    const { account, user, as, anyone, system, withToken, simulator } = await start();
    const acme = await account("acme");
    const jane = await user(acme, "jane");
    const token = (await as("jane@acme")("POST", "/authorization")).body.access_token;
    const login = { grant_type: "password", username: "jane@acme", password: "secret" };
    const session = (await anyone("POST", "/oauth2/token", login)).body.access_token;
    const statuses = async () => [
      (await as("jane@acme")("GET", "/account")).status,
      (await withToken(token)("GET", "/account")).status,
      (await withToken(session)("GET", "/account")).status,
      (await anyone("POST", "/oauth2/token", login)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200, 201]);
    await system("PATCH", `/user-profile/${jane.id}`, { access: { api: false } });
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    await system("PATCH", `/user-profile/${jane.id}`, { access: { api: true } });
    simulator.records.patchProfile("jane@acme", { activated: false });
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    simulator.records.patchProfile("jane@acme", { activated: true });
    simulator.records.patchAccount("acme", { disabled: true });
    expect(await statuses()).toEqual([403, 403, 403, 403]);
  });

  test("is refused with 401 where nothing proves who it is", async () => {
    const { anyone, as, account, user, withToken } = await start();
    const acme = await account("acme");
    await user(acme, "machine", { password: null });
    for (const reply of [
      await anyone("GET", "/account"),
      await as("acme", "wrong")("GET", "/account"),
      await as("nobody")("GET", "/account"),
      await as("machine@acme", "")("GET", "/account"),
      await withToken("1/unknown")("GET", "/account"),
      await anyone("GET", "/account", undefined, { authorization: "Digest x" }),
      await anyone("POST", "/account", "not JSON"),
    ]) {
      expect(reply).toMatchObject({ status: 401, body: { status: 401 } });
      expect(reply.headers["www-authenticate"]).toContain("Basic");
    }
  });
});

describe("accounts are isolated from each other:", () => {
  test("a tenant lists its own account and users alone", async () => {
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
  });

  test("another's records are not there, to read, change or delete", async () => {
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

  test("a user for another account is refused, whether that account is there or not", async () => {
    const { account, as } = await start();
    await account("acme");
    const globex = await account("globex");
    const create = (account_id: string) =>
      as("acme")("POST", "/user-profile", { username: "eve", account_id });
    const [there, notThere] = [await create(globex.id), await create("account:1:999")];
    expect(there.status).toBe(403);
    expect(notThere.text).toBe(there.text);
  });

  test("who may manage accounts sees and changes all", async () => {
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
