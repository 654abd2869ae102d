/** Data sources of user profiles: covers src/resources/user-profile/index.ts and src/resources/record/data-sources.ts. */
import { ALL_RIGHTS } from "../../../src/service/rights";
import type { ObjectValue } from "../../../src/lib/values";
import { alteredService } from "../../support/altered-service";
import { connected, connectionTo } from "../../support/connections";
import { dataOf } from "../../support/data";

async function withUsers() {
  const service = await connected();
  const { records } = service.simulator;
  records.createAccount({ name: "globex", password: "secret" });
  records.createProfile("globex", { username: "jane" });
  records.createProfile("globex", { username: "bob" });
  return service;
}

test.each(["id", "serial", "login"] as const)("a user profile is found by its %s", async (key) => {
  const { simulator, connection } = await withUsers();
  const live = simulator.records.profile("jane@globex");
  const data = await dataOf("tenancy_user_profile", connection, { [key]: live[key] });
  expect(data).toMatchObject({
    id: live.id,
    login: "jane@globex",
    username: "jane",
    seq: null,
    sessions: null,
  });
  expect(Object.keys(data["permissions"] as ObjectValue).sort()).toEqual([...ALL_RIGHTS].sort());
  expect(
    await dataOf("tenancy_user_profile", connection, { [key]: live[key], volatile: true }),
  ).toMatchObject({
    seq: live.seq,
    sessions: [],
  });
});

test("sessions of a user are shown", async () => {
  const { connection, anew } = await withUsers();
  await anew({ username: "globex", password: "secret" }).client.caller();
  const data = await dataOf("tenancy_user_profile", connection, { login: "globex", volatile: true });
  expect(data["sessions"]).toEqual([
    {
      serial: expect.stringMatching(/^SES/) as string,
      id: expect.any(String) as string,
      created_ms: expect.any(Number) as number,
      last_ms: expect.any(Number) as number,
      addr: expect.any(String) as string,
    },
  ]);
});

test("extensible metadata is shown whole, the time of its modification where that is asked for", async () => {
  const { simulator } = await withUsers();
  const xmd = { id: "xmd:1:1", ref: "hr", mtime: 1_700_000_000_000, tags: ["a"], self: true, data: "{}" };
  const url = await alteredService(simulator.baseUrl, ({ path }, answer) =>
    path === "/api/user-profile"
      ? { ...answer, body: (answer.body as ObjectValue[]).map((profile) => ({ ...profile, xmd })) }
      : answer,
  );
  const dataWith = (config: ObjectValue) =>
    dataOf("tenancy_user_profile", connectionTo(url), { login: "jane@globex", ...config });
  const shown = { xmd_id: "xmd:1:1", xmd_ref: "hr", xmd_tags: ["a"], xmd_self: true, xmd_data: "{}" };
  expect(await dataWith({})).toMatchObject({ ...shown, xmd_mtime: null });
  expect(await dataWith({ volatile: true })).toMatchObject({ ...shown, xmd_mtime: 1_700_000_000_000 });
});

test("user profiles are listed by account and prefix, in the order of their logins", async () => {
  const { simulator, connection } = await withUsers();
  const { id } = simulator.records.account("globex");
  const logins = (data: ObjectValue) =>
    (data["user_profiles"] as readonly ObjectValue[]).map(({ login }) => login);
  expect(logins(await dataOf("tenancy_user_profiles", connection, { account_id: id }))).toEqual([
    "bob@globex",
    "globex",
    "jane@globex",
  ]);
  const some = { account_id: id, login_prefix: "j" };
  expect(logins(await dataOf("tenancy_user_profiles", connection, some))).toEqual(["jane@globex"]);
});
