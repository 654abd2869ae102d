/** The calls of user profiles: covers src/lib/simulator/user-profile.ts and permissions.ts, besides its own source. */
import { simulators } from "../../../support/simulators";

const start = simulators();

describe("a user profile", () => {
  test("answers the members that the spec shows, with most rights granted", async () => {
    const { account, user } = await start();
    const acme = await account("acme");
    const jane = await user(acme, "jane");
    expect(jane).toMatchObject({
      id: expect.stringMatching(/^user_profile:\d+:\d+$/) as string,
      serial: expect.stringMatching(/^USR1B[\dA-F]{14}$/) as string,
      evt_qry: `serial=${jane.serial}`,
      seq: 1,
      status: null,
      rec_status: null,
      label: null,
      account_id: acme.id,
      login: "jane@acme",
      activated: true,
      password_set: true,
      allow_su: true,
      timezone: "local",
      account_admin: false,
      app_default: "storage",
      access: { web: true, api: true },
      email: null,
      email_notify: false,
      email_verified: false,
      sms_notify: false,
      sms: null,
      two_factor: { auth: "none", yubikey_id: "", security_email: null },
      idp: { type: "internal" },
      xmd_refs: [],
      xref: null,
      xmd: null,
      sessions: [],
    });
    const { permissions } = jane as unknown as {
      permissions: Record<string, { rights: Record<string, boolean> }>;
    };
    const granted = (group: string) => new Set(Object.values(permissions[group]?.rights ?? {}));
    for (const group of ["vss", "user", "account"]) expect(granted(group)).toEqual(new Set([true]));
    for (const group of ["realm", "node"]) expect(granted(group)).toEqual(new Set([false]));
    expect(Object.values(permissions).flatMap(({ rights }) => Object.keys(rights))).toHaveLength(49);
    expect(permissions["vss"]).toMatchObject({ all_account_scope: true, vsses: [] });
    expect(permissions["node"]).toMatchObject({ all_realm_scope: true });
    expect(permissions["node"]).not.toHaveProperty("nodes");
  });

  test("grants by default what its creator did not name", async () => {
    const { account, user } = await start();
    const acme = await account("acme");
    const permissions = {
      vss: { rights: { manage_targets: false } },
      node: { all_realm_scope: false, nodes: ["node:1:1"] },
    };
    expect((await user(acme, "jane", { permissions })).permissions).toMatchObject({
      vss: { rights: { manage_targets: false, manage_snapshots: true } },
      node: { all_realm_scope: false, nodes: ["node:1:1"], rights: { manage_storage: false } },
    });
  });

  test("masks its number, and never shows its password", async () => {
    const { account, user } = await start();
    const jane = await user(await account("acme"), "jane", { sms: "+14155554567", password: "hush hush" });
    expect(jane.sms).toEqual({ number: "********4567", valid: false, token: expect.any(String) as string });
    expect(JSON.stringify(jane)).not.toMatch(/hush|digest|salt|secret/);
  });

  test("belongs to the creator's own account where none is named", async () => {
    const { account, as } = await start();
    const acme = await account("acme");
    const created = await as("acme")("POST", "/user-profile", { username: "jane" });
    expect(created.body).toMatchObject({ account_id: acme.id, login: "jane@acme", password_set: false });
  });

  test("may name its account by serial, and must name one that is there", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    const named = await system("POST", "/user-profile", { username: "jane", account_id: acme.serial });
    expect(named.body).toMatchObject({ account_id: acme.id });
    const unknown = await system("POST", "/user-profile", { username: "jane", account_id: "account:1:99" });
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ field: "/account_id" }] } });
  });

  test("cannot share its login or uuid with another", async () => {
    const { system, account, user } = await start();
    const acme = await account("acme");
    const jane = await user(acme, "jane");
    const again = { username: "jane", account_id: acme.id };
    expect((await system("POST", "/user-profile", again)).status).toBe(409);
    const sameUuid = { username: "joan", account_id: acme.id, uuid: jane.uuid };
    expect((await system("POST", "/user-profile", sameUuid)).status).toBe(409);
    expect((await user(await account("globex"), "jane")).login).toBe("jane@globex");
  });

  test("changes only the members that an update gives", async () => {
    const { system, account, user } = await start();
    const jane = await user(await account("acme"), "jane", { email: "j@acme.example", level: 3 });
    const updated = await system("PATCH", `/user-profile/${jane.serial}`, {
      permissions: { vss: { rights: { remove_vss: false } } },
      access: { web: false },
    });
    expect(updated).toMatchObject({
      status: 200,
      body: {
        seq: 2,
        email: "j@acme.example",
        level: 3,
        access: { web: false, api: true },
        permissions: { vss: { rights: { remove_vss: false, update_vss: true } } },
      },
    });
  });

  test("loses each member that an update sets to null", async () => {
    const { system, account, user } = await start();
    const given = {
      email: "j@acme.example",
      sms: "123456",
      xref: "x",
      two_factor: { security_email: "s@acme.example" },
    };
    const jane = await user(await account("acme"), "jane", given);
    const nothing = {
      email: null,
      sms: null,
      xref: null,
      password: null,
      two_factor: { security_email: null },
    };
    expect((await system("PATCH", `/user-profile/${jane.id}`, nothing)).body).toMatchObject({
      email: null,
      sms: null,
      xref: null,
      password_set: false,
      two_factor: { security_email: null },
    });
  });

  test("stays as it was after an update that changes nothing", async () => {
    const { system, account, user } = await start();
    const same = { email: "j@acme.example", sms: "123456", password: "hush", xmd_refs: ["a"], level: 4 };
    const jane = await user(await account("acme"), "jane", same);
    expect((await system("PATCH", `/user-profile/${jane.id}`, same)).body).toMatchObject({
      seq: 1,
      mtime: jane.mtime,
    });
  });

  test("keeps who it is, whatever an update says", async () => {
    const { system, account, user } = await start();
    const jane = await user(await account("acme"), "jane");
    const other = await account("other");
    const moved = { username: "joan", account_id: other.id, uuid: other.uuid, account_admin: true };
    const updated = await system("PATCH", `/user-profile/${jane.id}`, moved);
    expect(updated.body).toMatchObject({
      login: "jane@acme",
      uuid: jane.uuid,
      account_admin: false,
      seq: 1,
    });
  });

  test("is gone once it is deleted, and gives the same result however often that is asked", async () => {
    const { system, account, user } = await start();
    const jane = await user(await account("acme"), "jane");
    for (const ref of [jane.id, jane.serial, jane.id])
      expect(await system("DELETE", `/user-profile/${ref}`)).toMatchObject({ status: 204, text: "" });
    expect((await system("GET", `/user-profile/${jane.serial}`)).status).toBe(410);
    expect((await system("PATCH", `/user-profile/${jane.id}`, {})).status).toBe(410);
    expect((await system("GET", "/user-profile/user_profile:1:99")).status).toBe(404);
  });

  test("is deleted only from the account that the request names", async () => {
    const { system, account, user } = await start();
    const acme = await account("acme");
    const other = await account("other");
    const jane = await user(acme, "jane");
    const path = `/user-profile/${jane.id}`;
    expect((await system("DELETE", path, { account_id: other.id })).status).toBe(404);
    expect((await system("DELETE", `${path}?account_id=${other.id}`)).status).toBe(404);
    expect((await system("DELETE", path, { account_id: acme.id })).status).toBe(204);
  });

  test("goes only with its account where it is the primary one", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    expect((await system("DELETE", `/user-profile/${acme.admin_profile_id}`)).status).toBe(403);
  });

  test("is not sent again to a caller who names the tag of the record", async () => {
    const { system, account, user } = await start();
    const jane = await user(await account("acme"), "jane");
    const { headers } = await system("GET", `/user-profile/${jane.id}`);
    const known = { "if-none-match": String(headers["etag"]) };
    expect((await system("GET", `/user-profile/${jane.id}`, undefined, known)).status).toBe(304);
  });
});

test.each(["", "/system"])(
  "a reading with a parameter is refused, since the specification lists none: %s",
  async (ref) => {
    const { system } = await start();
    const { status, body } = await system("GET", `/user-profile${ref}?login=system`);
    expect([status, body.errors]).toEqual([
      400,
      [{ type: "unknown", field: "/login", msg: "is no parameter" }],
    ]);
  },
);
