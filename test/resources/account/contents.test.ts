/** What keeps an account from being deleted: covers src/resources/account/index.ts. */
import { notInSnapshot } from "../../../src/problems";
import { resource as account } from "../../../src/resources/account";
import { resource as userProfile } from "../../../src/resources/user-profile";
import type { Connection } from "../../../src/service";
import type { ObjectValue } from "../../../src/lib/values";
import { connected } from "../../support/connections";
import { created, deleted, refusal } from "../../support/life";

const OPEN: ObjectValue = { name: "globex", permissions: {}, deletion_protection: false };

async function live() {
  const service = await connected();
  const { state } = await created(account, service.connection, OPEN);
  const judged = (more: ObjectValue = {}, connection: Connection = service.connection) =>
    account.mayDelete!(connection, { prior: { ...state, ...more } });
  const usage = (alter: object) =>
    service.simulator.fail({ method: "GET", path: /usage/, times: 9, ...alter });
  return { ...service, state, judged, usage };
}

const notEmpty = (finding: string) => [
  { code: "TENANCY_ACCOUNT_NOT_EMPTY", summary: `account "globex" is not empty: ${finding}` },
];

test.each([404, 410])("an account stays whose usage is not there (%d)", async (status) => {
  const { usage, judged, connection, state } = await live();
  usage({ status });
  expect(await judged()).toMatchObject(notEmpty("its usage cannot be read"));
  expect(await refusal(deleted(account, connection, state))).toMatchObject(
    notEmpty("its usage cannot be read"),
  );
});

test("where the usage cannot be asked for, that is the error", async () => {
  const { usage, judged } = await live();
  usage({ status: 403 });
  expect(await refusal(judged())).toMatchObject([{ code: "TENANCY_API_FORBIDDEN" }]);
});

test("an account stays whose usage does not show a counter", async () => {
  const { usage, judged } = await live();
  usage({ alter: ({ vss_num: _, ...rest }: ObjectValue) => rest });
  expect(await judged()).toMatchObject(notEmpty("its usage does not show vss_num"));
});

test.each([
  [0, []],
  [1, []],
  [2, notEmpty("profile_num is 2")],
  [3, notEmpty("profile_num is 3")],
])("beside user_num 1, an account with profile_num %d is empty of profiles or not", async (count, found) => {
  const { usage, judged, connection, state } = await live();
  await created(userProfile, connection, { username: "jane", account_id: state["id"]!, permissions: {} });
  usage({ alter: (record: ObjectValue) => ({ ...record, user_num: 1, profile_num: count }) });
  expect(await judged()).toMatchObject(found);
});

test("a snapshot without usage counters tells the users alone, and that it lacks the rest", async () => {
  const { simulator, connection, state } = await live();
  simulator.records.createProfile("globex", { username: "guest" });
  await created(userProfile, connection, { username: "jane", account_id: state["id"]!, permissions: {} });
  const { client } = connection;
  const accounts = { ...client.accounts, usage: () => Promise.reject(notInSnapshot.error("the usage")) };
  const lacking = { ...connection, client: { ...client, accounts } } as never;
  const contentsOf = async (asked: Connection) => {
    const snapshot = await connection.directory.snapshot();
    return account.container!.contentsOf(asked, state["id"] as string, snapshot);
  };
  const user = (login: string) => expect.objectContaining({ login }) as object;
  const users = expect.arrayContaining([user("guest@globex"), user("jane@globex")]) as object;
  expect(await contentsOf(lacking)).toEqual({ storage: [], isUsageUnknown: true, users });
  expect(await contentsOf(connection)).toEqual({ storage: [], users });
});

test("what is in an account is not asked where it may go with it, or where it has gone", async () => {
  const { simulator, judged, connection, state } = await live();
  simulator.records.setUsage("globex", { vss_num: 2 });
  simulator.clearRequests();
  expect(await judged({ allow_nonempty_delete: true })).toEqual([]);
  expect(simulator.requests).toEqual([]);
  await deleted(account, connection, state, { allowNonempty: true });
  expect(simulator.requests.map(({ path }) => path)).not.toContain("/api/user-profile");
  expect(await judged()).toEqual([]);
});

test("whoever has come into an account since the plan keeps it, and the account is named", async () => {
  const { simulator, connection, state } = await live();
  const { id } = simulator.records.createProfile("globex", { username: "guest" });
  const going = { allowNonempty: true };
  const seen = (...ids: readonly unknown[]) => new Set([state["admin_profile_id"], ...ids] as string[]);
  const refused = await refusal(deleted(account, connection, state, { ...going, seen: seen() }));
  expect(refused).toMatchObject([{ code: "TENANCY_PLAN_OUTDATED" }]);
  expect(refused.map(({ summary }) => summary).join()).toContain('"globex"');
  expect(JSON.stringify(refused)).toContain("the user guest@globex has come into it");
  await deleted(account, connection, state, { ...going, seen: seen(id) });
});

test("a template that changes among others is told to be only recorded", async () => {
  const { state } = await live();
  const found = account.propose({ ...OPEN, template: "gold", host: "storage.example" }, state, {
    asOf: undefined,
  });
  expect(found.findings.map(({ code }) => code)).toContain("TENANCY_CREATE_ONLY");
  const other = account.propose({ ...OPEN, host: "storage.example" }, state, { asOf: undefined });
  expect(other.findings.map(({ code }) => code)).not.toContain("TENANCY_CREATE_ONLY");
});
