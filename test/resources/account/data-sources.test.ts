/** Data sources of accounts: covers src/resources/account/index.ts and src/resources/record/data-sources.ts. */
import type { ObjectValue } from "../../../src/lib/values";
import { connected } from "../../support/connections";
import { dataOf, dataSourceOf } from "../../support/data";
import { refusal } from "../../support/life";

const namesIn = (data: ObjectValue) => (data["accounts"] as readonly ObjectValue[]).map(({ name }) => name);

test.each(["id", "serial", "name"] as const)("an account is found by its %s", async (key) => {
  const { simulator, connection } = await connected();
  const live = simulator.records.createAccount({ name: "globex", limits: { vss_num: 4 } });
  const data = await dataOf("tenancy_account", connection, { [key]: live[key] });
  expect(data).toMatchObject({
    id: live.id,
    serial: live.serial,
    name: "globex",
    limits_vss_num: 4,
    limits_size_reserve_total: null,
    seq: null,
    mtime: null,
    ec: null,
    billing_contact: null,
  });
  expect(await dataOf("tenancy_account", connection, { [key]: live[key], volatile: true })).toMatchObject({
    seq: live.seq,
    mtime: live.mtime,
    ec: { status: expect.any(String) as string },
  });
});

test("exactly one key must be given", () => {
  const source = dataSourceOf("tenancy_account");
  expect(source.check({})).toHaveLength(1);
  expect(source.check({ id: "account:1:1", name: "globex" })).toMatchObject([
    { severity: "error", code: "TENANCY_INVALID_VALUE" },
  ]);
  expect(source.check({ id: null, name: "globex" })).toEqual([]);
});

test("an account that is not there is an error at the key", async () => {
  const { connection } = await connected();
  expect(await refusal(dataOf("tenancy_account", connection, { name: "initech" }))).toMatchObject([
    { code: "TENANCY_NO_SUCH_OBJECT", attribute: ["name"] },
  ]);
});

test("accounts are listed by a prefix, in the order of their names", async () => {
  const { simulator, connection } = await connected();
  for (const name of ["globex-b", "initech", "globex-a"]) simulator.records.createAccount({ name });
  expect(namesIn(await dataOf("tenancy_accounts", connection))).toEqual([
    "globex-a",
    "globex-b",
    "initech",
    "system",
  ]);
  const some = await dataOf("tenancy_accounts", connection, { name_prefix: "globex" });
  expect(namesIn(some)).toEqual(["globex-a", "globex-b"]);
  const { id, serial } = simulator.records.account("initech");
  for (const account of [id, serial]) {
    const found = await dataOf("tenancy_accounts", connection, { account_id: account });
    expect(namesIn(found)).toEqual(["initech"]);
    expect(found["account_id"]).toBe(account);
    const users = await dataOf("tenancy_user_profiles", connection, { account_id: account });
    expect(users["user_profiles"]).toHaveLength(1);
  }
});

test("usage tells what an account holds", async () => {
  const { simulator, connection } = await connected();
  const { id } = simulator.records.createAccount({ name: "globex" });
  simulator.records.setUsage("globex", { vss_num: 3 });
  expect(await dataOf("tenancy_account_usage", connection, { account_id: id })).toMatchObject({
    account_id: id,
    vss_num: 3,
    user_num: 1,
  });
});
