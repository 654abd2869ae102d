import { coalescingDirectory } from "../../src/service/directory";
import { listersOfFamilies } from "../../src/resources";
import type { Simulator } from "../../src/lib/simulator";
import { connected } from "../support/connections";

async function accounts(count: number) {
  const { simulator, connection } = await connected();
  const ids = Array.from(
    { length: count },
    (_, index) => simulator.records.createAccount({ name: `t${index}`, password: "secret" }).id,
  );
  return {
    simulator,
    ids,
    directory: coalescingDirectory(connection.client, { caller: "system", listers: new Map() }),
  };
}

/** What was read, the log-in left out; ids are dots. */
function reads({ requests }: Simulator): readonly string[] {
  return requests
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path.replace(/[^/]+:\d+:\d+$/, "."))
    .sort();
}

const LISTS = ["/api/account", "/api/status/authorization", "/api/user-profile"];

test("ten objects are read one by one, and each of them once", async () => {
  const { simulator, ids, directory } = await accounts(10);
  await Promise.all([...ids, ...ids].map((id) => directory.account(id)));
  expect(reads(simulator)).toEqual(Array<string>(10).fill("/api/account/."));
});

test("from the eleventh on, two lists answer for all", async () => {
  const { simulator, ids, directory } = await accounts(30);
  const found = await Promise.all(ids.map((id) => directory.account(id)));
  expect(found.map((account) => account?.id)).toEqual(ids);
  expect(reads(simulator)).toEqual([...Array<string>(10).fill("/api/account/."), ...LISTS].sort());
});

test("once there are lists, nothing is read one by one", async () => {
  const { simulator, ids, directory } = await accounts(1);
  await directory.snapshot();
  expect((await directory.account(ids[0] ?? ""))?.name).toBe("t0");
  expect(reads(simulator)).toEqual(LISTS);
});

test("after a write everything is read anew", async () => {
  const { simulator, ids, directory } = await accounts(1);
  const [id = ""] = ids;
  await directory.snapshot();
  simulator.records.patchAccount(id, { limits: { vss_num: 3 } });
  directory.invalidate();
  expect((await directory.account(id))?.limits).toMatchObject({ vss_num: 3 });
});

test("a user whose account was created between the lists is no sign of a lost account", async () => {
  const { simulator, directory } = await accounts(1);
  simulator.fail({
    method: "GET",
    path: "/api/account",
    alter: (list) => {
      simulator.records.createAccount({ name: "new" });
      return list;
    },
  });
  simulator.fail({ method: "GET", path: "/api/user-profile", delay: 100 });
  expect((await directory.snapshot()).accountNamed("new")).toBeDefined();
});

test("what was not found is looked for again", async () => {
  const { simulator, directory } = await accounts(0);
  expect(await directory.account("t0")).toBeUndefined();
  const { serial } = simulator.records.createAccount({ name: "t0", password: "secret" });
  expect((await directory.account(serial))?.name).toBe("t0");
});

test("of a list with summaries 2,000 records are read at once, and each other one when it is needed", async () => {
  const { simulator, connection } = await connected({ behaviors: ["summaryLists"] });
  simulator.records.createAccount({ name: "acme" });
  const users = Array.from({ length: 2_010 }, (_, index) =>
    simulator.records.createProfile("acme", { username: `u${index}` }),
  );
  const listers = listersOfFamilies();
  const directory = coalescingDirectory(connection.client, { caller: "system", listers });
  const { profiles, summaries } = await directory.snapshot();
  expect(summaries.size).toBe(users.length + 2 - 2_000);
  expect(profiles.filter(({ permissions }) => permissions === undefined)).toHaveLength(summaries.size);
  const [id = ""] = summaries;
  expect((await directory.profile(id))?.permissions).toBeDefined();
});
