/** A service as a snapshot holds it: covers src/engine/snapshot/open.ts. */
import { SnapshotFile, type TakenService } from "../../../src/engine/snapshot/file";
import { openRecorded, usageIn } from "../../../src/engine/snapshot/open";
import { change } from "../../support/plans";

const ORIGIN = "https://storage.example";
const PART = { origin: ORIGIN, stack: "acme-platform", provider: "tenancy" };

const ACME = {
  id: "account:1:2",
  serial: "ACT1",
  name: "acme",
  uuid: "6ba7b810-9dad-81d1-80b4-00c04fd430c8",
};
const JANE = { id: "user_profile:1:5", serial: "UPR1", login: "jane@acme", account_id: ACME.id };

const taken = (more: Partial<TakenService> = {}): TakenService => ({
  origin: ORIGIN,
  caller: { name: "system", username: "system", rights: null, record: { user: "system" }, own_token: "ATH1" },
  accounts: [{ record: ACME, left_out: [] }],
  profiles: [{ record: JANE, left_out: [] }],
  others: { hosts: [{ record: { id: "host:1:1" }, left_out: [] }] },
  usage: { [ACME.id]: { vss_num: 3 } },
  managed: TAKEN_PARTS,
  state: { exists: false, parts: [] },
  unlisted: ["ATH2"],
  ...more,
});

const TAKEN_PARTS: TakenService["managed"] = ["acme-platform", "acme"].map((stack) => ({
  stack,
  provider: "tenancy",
  ids: [],
}));

const opened = (more: Partial<TakenService> = {}, part = PART) =>
  openRecorded(
    new SnapshotFile("live.json", { taken_at: "2026-03-02T12:00:00Z", full: true, services: [taken(more)] }),
    part,
  );

describe("what was answered", () => {
  test("is answered again, by id and by serial number", async () => {
    const { client } = opened().connection;
    expect(await client.accounts.find(ACME.id)).toMatchObject(ACME);
    expect(await client.accounts.find("ACT1")).toMatchObject(ACME);
    expect(await client.profiles.find(JANE.id)).toMatchObject(JANE);
    expect(await client.profiles.find("UPR1")).toMatchObject(JANE);
    expect((await client.callerAs({ kind: "own" })).status).toBe(200);
  });

  test("tells that a record is not there, and nothing of another family", async () => {
    const { client } = opened().connection;
    expect(await client.profiles.find(ACME.id)).toBeUndefined();
    expect(await client.accounts.find("account:1:9")).toBeUndefined();
    await expect(client.records("host", "host").find("host:1:1")).rejects.toMatchObject({
      code: "TENANCY_NOT_IN_SNAPSHOT",
    });
    await expect(client.authorizations.revoke("ATH1")).rejects.toMatchObject({
      code: "TENANCY_NOT_IN_SNAPSHOT",
    });
  });

  test("has counters, by the account's id or serial number, where they were taken", async () => {
    const { client } = opened().connection;
    for (const reference of [ACME.id, "ACT1"])
      expect(await client.accounts.usage(reference)).toEqual({ vss_num: 3 });
    const without = opened({ usage: null }).connection.client;
    await expect(without.accounts.usage(ACME.id)).rejects.toMatchObject({ code: "TENANCY_NOT_IN_SNAPSHOT" });
  });

  test("lists accounts and users", async () => {
    const { directory } = opened().connection;
    const snapshot = await directory.snapshot();
    expect(snapshot.accounts).toMatchObject([ACME]);
    expect(snapshot.profiles).toMatchObject([JANE]);
  });
});

test("who took it is known: the user, and the state's token", () => {
  expect(opened()).toMatchObject({
    connection: { username: "system" },
    ownToken: "ATH1",
    unlisted: new Set(["ATH2"]),
  });
  const caller = { ...taken().caller, username: null, own_token: null };
  const { connection, ownToken } = opened({ caller });
  expect([connection.username, ownToken]).toEqual([undefined, undefined]);
});

test("an owner that the snapshot does not have is an error, and an empty name needs none", () => {
  expect(() => opened({}, { ...PART, stack: "initech" })).toThrow(/initech/);
  expect(() => opened({}, { ...PART, stack: "" })).not.toThrow();
});

test("a state of another kind than expected is told as a broken snapshot", () => {
  const state = { exists: true, parts: [{}] };
  expect(() => opened({ state })).toThrow(
    expect.objectContaining({ code: "TENANCY_SNAPSHOT_UNFIT" }) as Error,
  );
  expect(opened().part.tokens.list()).toEqual([]);
});

describe("what is used of quotas", () => {
  const SIGHTING = { id: ACME.id, uuid: undefined, accountId: undefined, seq: 1, key: "acme", readAt: 1 };
  const acme = change({ kind: "account", name: "acme", before: { name: "acme" }, observedRecord: SIGHTING });
  const counting = (usage: TakenService["usage"] | undefined, provider = "tenancy") =>
    [{ provider, ...(usage && { usage }) }] as unknown as Parameters<typeof usageIn>[0];

  test("is told by the account's address, where it was counted", () => {
    const counters = { [ACME.id]: { vss_num: 3, size_reserve: 10n ** 20n, other: 1 } };
    expect(usageIn(counting(counters), [acme])).toEqual({
      usage: { [acme.address]: { limits_vss_num: 3, limits_size_reserve_total: 10n ** 20n } },
    });
    const unknown = { [ACME.id]: { vss_num: null, size_reserve: "much" } };
    expect(usageIn(counting(unknown), [acme])).toEqual({ usage: { [acme.address]: {} } });
  });

  test("is not told where nobody counted, or of another service, account or object that is not live", () => {
    const counters = { [ACME.id]: { vss_num: 3 } };
    expect(usageIn(counting(undefined), [acme])).toEqual({});
    expect(usageIn(counting(counters), [])).toEqual({});
    expect(usageIn(counting(counters, "tenancy.second"), [acme])).toEqual({});
    expect(usageIn(counting({ "account:1:9": { vss_num: 3 } }), [acme])).toEqual({});
    expect(usageIn(counting(counters), [{ ...acme, observedRecord: undefined }])).toEqual({});
  });
});
