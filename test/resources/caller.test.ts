import { connected } from "../support/connections";
import { dataOf } from "../support/data";

test("the caller is told with account, user and rights", async () => {
  const { connection } = await connected({ describeCaller: { user: true, permissions: true } });
  expect(await dataOf("tenancy_caller", connection)).toMatchObject({
    type: null,
    account: { name: "system" },
    user: { name: "system" },
    permissions: { "realm.manage_accounts": true },
    vss_scope: ["*"],
  });
});

test("what a service does not tell of the caller is null", async () => {
  const { connection } = await connected({ describeCaller: { user: false, permissions: false } });
  expect(await dataOf("tenancy_caller", connection)).toMatchObject({ user: null, permissions: null });
});
