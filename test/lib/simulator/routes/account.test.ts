/** The calls of accounts: covers src/lib/simulator/account.ts, record.ts, src/lib/simulator/routes/route.ts and src/lib/simulator/refusal.ts, besides its own source. */
import { simulators } from "../../../support/simulators";

const start = simulators();

describe("an account", () => {
  test("is created with a primary user profile whose login is its name", async () => {
    const { system, account, as } = await start();
    const acme = await account("acme", { level: 7, access: { web: false }, activated: true });
    const primary = await system("GET", `/user-profile/${acme.admin_profile_id}`);
    expect(primary.body).toMatchObject({
      login: "acme",
      account_id: acme.id,
      account_admin: true,
      level: 7,
      access: { web: false, api: true },
      password_set: true,
    });
    expect((await as("acme")("GET", "/status/authorization")).status).toBe(200);
  });

  test("answers the members that the spec shows", async () => {
    const { account } = await start();
    const acme = await account("acme", { primary_contact: { first_name: "Ada", company: "Acme" } });
    expect(acme).not.toHaveProperty("password");
    expect(acme).not.toHaveProperty("template");
    expect(acme.primary_contact).toEqual({ first_name: "Ada", last_name: "" });
    expect(acme).toMatchObject({
      id: expect.stringMatching(/^account:\d+:\d+$/) as string,
      uuid: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      serial: expect.stringMatching(/^ACT07[\dA-F]{14}$/) as string,
      evt_qry: expect.stringMatching(/^serial=ACT07/) as string,
      ctime: expect.any(Number) as number,
      mtime: expect.any(Number) as number,
      seq: 1,
      status: null,
      rec_status: null,
      label: null,
      ec: { status: "retrieving", table: null, seq: 0 },
      idp: { id: expect.any(String) as string, label: "internal", type: "internal" },
      usage_id: expect.any(String) as string,
      disabled: false,
      name: "acme",
      admin_profile_id: expect.stringMatching(/^user_profile:\d+:\d+$/) as string,
      billing_contact: null,
      limits: { vss_num: null, size_reserve_total: null },
      provisioning: {
        size_reserve_max: null,
        iops_reserve_max: null,
        tags_include: [],
        tags_exclude: [],
        tags_permit: null,
      },
    });
  });

  test("shows its contacts as they are stored, where the options say so", async () => {
    const { account } = await start({ contacts: "full" });
    const { primary_contact } = await account("acme", {
      primary_contact: { phone: "+1 415 555 4567", email: "ada@acme.example", address: { addr: ["1 Way"] } },
    });
    expect(primary_contact).toEqual({
      first_name: "",
      last_name: "",
      address: { addr: ["1 Way"], country: "US" },
      phone: { number: "+1 415 555 4567", valid: false, token: expect.any(String) as string },
      email: { addr: "ada@acme.example", valid: false, token: expect.any(String) as string },
    });
  });

  test("is found by its id and by its serial, with and without a trailing slash", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    for (const path of [acme.id, encodeURIComponent(acme.id), acme.serial, `${acme.serial}/`])
      expect((await system("GET", `/account/${path}`)).body.uuid).toBe(acme.uuid);
  });

  test("keeps the uuids that its creator chose", async () => {
    const { system, account } = await start();
    const uuid = "6f9619ff-8b86-5d01-b42d-00cf4fc964ff";
    const user_uuid = "6f9619ff-8b86-5d01-b42d-00cf4fc964fe";
    const acme = await account("acme", { uuid, user_uuid });
    expect(acme.uuid).toBe(uuid);
    expect((await system("GET", `/user-profile/${acme.admin_profile_id}`)).body.uuid).toBe(user_uuid);
  });

  test("cannot share its name or uuid with another", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    expect(await system("POST", "/account", { name: "acme" })).toMatchObject({ status: 409 });
    expect(await system("POST", "/account", { name: "other", uuid: acme.uuid.toUpperCase() })).toMatchObject({
      status: 409,
    });
  });

  test("may answer a duplicate with 400 instead", async () => {
    const { system, account } = await start({ duplicateStatus: 400 });
    await account("acme");
    expect((await system("POST", "/account", { name: "acme" })).status).toBe(400);
  });

  test("changes only the members that an update gives", async () => {
    const { system, account } = await start({ contacts: "full" });
    const acme = await account("acme", {
      limits: { vss_num: 5, size_reserve_total: 10 },
      primary_contact: { first_name: "Ada", phone: "123456" },
    });
    const updated = await system("PATCH", `/account/${acme.id}`, {
      limits: { vss_num: null },
      provisioning: { tags_include: ["ssd"] },
      primary_contact: { last_name: "Byron" },
    });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({
      seq: 2,
      limits: { vss_num: null, size_reserve_total: 10 },
      provisioning: { tags_include: ["ssd"], tags_exclude: [] },
      primary_contact: { first_name: "Ada", last_name: "Byron", phone: { number: "123456" } },
    });
  });

  test("loses its billing contact when that is set to null", async () => {
    const { system, account } = await start();
    const acme = await account("acme", { billing_contact: { first_name: "Bill" } });
    expect(acme.billing_contact).toEqual({ first_name: "Bill", last_name: "" });
    expect((await system("PATCH", `/account/${acme.id}`, { billing_contact: null })).body).toMatchObject({
      billing_contact: null,
    });
  });

  test("stays as it was after an update that changes nothing", async () => {
    let now = 1_000_000;
    const { system, account } = await start({ clock: () => now });
    const acme = await account("acme", { limits: { vss_num: 5 }, primary_contact: { email: "a@b.example" } });
    now += 1000;
    const same = { limits: { vss_num: 5 }, primary_contact: { email: "a@b.example" }, password: "secret" };
    const updated = await system("PATCH", `/account/${acme.id}`, same);
    expect(updated.body).toMatchObject({ seq: 1, mtime: 1_000_000 });
    expect((await system("GET", `/user-profile/${acme.admin_profile_id}`)).body.seq).toBe(1);
  });

  test("gives its primary user a new password", async () => {
    const { system, account, as } = await start();
    const acme = await account("acme");
    await system("PATCH", `/account/${acme.id}`, { password: "changed" });
    expect((await as("acme", "secret")("GET", "/account")).status).toBe(401);
    expect((await as("acme", "changed")("GET", "/account")).status).toBe(200);
  });

  test("keeps quotas beyond 2^53 exact", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    await system("PATCH", `/account/${acme.id}`, '{"limits":{"size_reserve_total":9007199254740993}}');
    expect((await system("GET", `/account/${acme.id}`)).text).toContain(
      '"size_reserve_total":9007199254740993',
    );
    expect((await system("GET", "/account")).text).toContain('"size_reserve_total":9007199254740993');
  });

  test("is gone, with its users and their tokens, once it is deleted", async () => {
    const { system, account, user, as, withToken } = await start();
    const acme = await account("acme");
    const jane = await user(acme, "jane");
    const token = (await as("jane@acme")("POST", "/authorization")).body;
    expect(await system("DELETE", `/account/${acme.serial}`)).toMatchObject({ status: 204, text: "" });
    for (const path of [acme.id, acme.serial, `${acme.id}/usage`])
      expect((await system("GET", `/account/${path}`)).status).toBe(410);
    expect((await system("PATCH", `/account/${acme.id}`, {})).status).toBe(410);
    for (const ref of [jane.id, jane.serial, acme.admin_profile_id])
      expect((await system("GET", `/user-profile/${ref}`)).status).toBe(410);
    expect((await withToken(token.access_token)("GET", "/status/authorization")).status).toBe(401);
    expect((await system("GET", "/account")).list.map(({ name }) => name)).toEqual(["system"]);
    expect((await system("GET", "/user-profile")).list.map(({ login }) => login)).toEqual(["system"]);
  });

  test("gives the same result however often it is deleted", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await system("DELETE", `/account/${acme.id}`)).status).toBe(204);
    expect((await system("DELETE", "/account/account:1:999")).status).toBe(404);
  });

  test("can be made anew under the same name, with another id", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    await system("DELETE", `/account/${acme.id}`);
    const again = await account("acme", { uuid: acme.uuid });
    expect(again.id).not.toBe(acme.id);
  });

  test("may leave its uuid taken for ever", async () => {
    const { system, account } = await start({ reuseUuids: false });
    const acme = await account("acme");
    await system("DELETE", `/account/${acme.id}`);
    expect((await system("POST", "/account", { name: "acme", uuid: acme.uuid })).status).toBe(409);
  });

  test("may refuse its deletion while anything is in it", async () => {
    const { system, account, user } = await start({ accountDelete: "refuse" });
    const acme = await account("acme");
    const jane = await user(acme, "jane");
    expect((await system("DELETE", `/account/${acme.id}`)).status).toBe(403);
    await system("DELETE", `/user-profile/${jane.id}`);
    expect((await system("DELETE", `/account/${acme.id}`)).status).toBe(204);
  });

  test("tells its usage, of which only the users are real", async () => {
    const { simulator, system, account, user } = await start();
    const acme = await account("acme");
    await user(acme, "jane");
    simulator.records.setUsage("acme", { vss_num: 3 });
    expect((await system("GET", `/account/${acme.id}/usage`)).body).toEqual({
      size_reserve: 0,
      iops_reserve: 0,
      vss_num: 3,
      vdisk_num: 0,
      clones_num: 0,
      repl_num: 0,
      snapshot_num: 0,
      target_num: 0,
      profile_num: 2,
      user_num: 2,
    });
  });

  test("is not sent again to a caller who names the tag of the record", async () => {
    const { system, account } = await start();
    const acme = await account("acme");
    const read = await system("GET", `/account/${acme.id}`);
    const etag = String(read.headers["etag"]);
    const known = { "if-none-match": `"other", W/${etag}` };
    expect(await system("GET", `/account/${acme.id}`, undefined, known)).toMatchObject({
      status: 304,
      text: "",
    });
    const updated = await system("PATCH", `/account/${acme.id}`, { limits: { vss_num: 1 } });
    expect(updated.headers["etag"]).not.toBe(etag);
    expect((await system("GET", `/account/${acme.id}`, undefined, known)).status).toBe(200);
  });
});

describe("the list of accounts", () => {
  test("holds the system account, and all others in the order in which they were made", async () => {
    const { system, account } = await start();
    await account("zeta");
    const alpha = await account("alpha");
    await system("PATCH", `/account/${alpha.id}`, { limits: { vss_num: 1 } });
    expect((await system("GET", "/account")).list.map(({ name }) => name)).toEqual([
      "system",
      "zeta",
      "alpha",
    ]);
  });

  test("holds the system account, which cannot be deleted", async () => {
    const { system } = await start();
    const [own] = (await system("GET", "/account")).list;
    expect((await system("DELETE", `/account/${own?.id}`)).status).toBe(403);
  });
});
