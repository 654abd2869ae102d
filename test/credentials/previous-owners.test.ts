/** Tokens and digests survive a change of the owner's name: covers src/credentials/document.ts. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore, type Ledger } from "../../src/credentials";
import { temporaryFolder } from "../support/temp-folder";
import { csiToken, failedRevocation, intent, jane, ORIGIN } from "./samples";
import { remember } from "../support/memories";

const folder = temporaryFolder();
const path = () => join(folder(), "credentials.json");

async function change(owners: [string, ...string[]], task: (ledger: Ledger) => unknown): Promise<void> {
  const store = openStore({ path: path() });
  await store.lock();
  const [current, ...previous] = owners;
  await task(await store.ledger(ORIGIN, current, previous));
  await store.save();
  await store.unlock();
}

const look = (current: string, ...previous: string[]) =>
  openStore({ path: path() }).ledger(ORIGIN, current, previous);

async function fill(ledger: Ledger): Promise<void> {
  ledger.tokens.put(csiToken);
  ledger.intents.put(intent);
  ledger.failedRevocations.put(failedRevocation);
  remember(ledger, jane, (draft) => draft.noteValue(["sms"], "1"));
  await remember(ledger, jane, (draft) => draft.noteVersion(["password_wo"], 3));
}

test("an owner that changes its name finds all that it kept under the old one, digests included", async () => {
  await change(["old"], fill);
  const before = await readFile(path(), "utf8");
  const ledger = await look("new", "old");
  expect(ledger).toMatchObject({ owner: "new", exists: true });
  expect(ledger.tokens.list()).toEqual([csiToken]);
  expect(ledger.intents.list()).toEqual([intent]);
  expect(ledger.failedRevocations.list()).toEqual([failedRevocation]);
  expect(ledger.memory.isSameValue(jane, ["sms"], "1")).toBe(true);
  expect(ledger.memory.sentVersion(jane, ["password_wo"])?.version).toBe(3);
  expect(ledger.digestKey("saved plan")).toEqual((await look("old")).digestKey("saved plan"));
  expect(await readFile(path(), "utf8")).toBe(before);
});

test("with the next save it all passes to the new name", async () => {
  await change(["old"], fill);
  await change(["new", "older", "old"], () => undefined);
  expect((await look("new")).tokens.list()).toEqual([csiToken]);
  expect((await look("old")).tokens.list()).toEqual([]);
});

test("without the lock nothing passes on for good", async () => {
  await change(["old"], fill);
  const store = openStore({ path: path() });
  await store.ledger(ORIGIN, "new", ["old"]);
  await store.save();
  expect((await look("old")).tokens.list()).toEqual([csiToken]);
});

test("former names that kept nothing change nothing", async () => {
  await change(["new", "old"], () => undefined);
  expect((await look("new", "old")).exists).toBe(false);
  await change(["new"], fill);
  const before = await readFile(path(), "utf8");
  await change(["new", "old"], () => undefined);
  expect(await readFile(path(), "utf8")).toBe(before);
});

test("nothing is taken from an owner that is not named as a previous one", async () => {
  await change(["old"], fill);
  await change(["new"], (ledger) => ledger.intents.put(intent));
  expect((await look("new")).tokens.list()).toEqual([]);
  expect((await look("old")).tokens.list()).toEqual([csiToken]);
});

test("where both names kept a token, the new name's counts, and the other is to be revoked", async () => {
  const newer = {
    ...csiToken,
    record: { ...csiToken.record, serial: "newer", access_token: "1/newer" },
    previous: [],
  };
  await change(["old"], fill);
  await change(["new"], (ledger) => ledger.tokens.put(newer));
  const [token] = (await look("new", "old")).tokens.list();
  expect(token?.record.serial).toBe("newer");
  expect(token?.previous).toEqual([
    {
      id: csiToken.record.id,
      serial: csiToken.record.serial,
      access_token: csiToken.record.access_token,
      created_at: "2026-01-02T03:04:05.678+00:00",
      retired_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    },
    ...csiToken.previous,
  ]);
});

test("a token that both names know is not its own predecessor", async () => {
  await change(["old"], fill);
  await change(["new"], (ledger) => ledger.tokens.put(csiToken));
  expect((await look("new", "old")).tokens.list()).toEqual([csiToken]);
});

test("a token of which the service did not say when it was made gives way like any other", async () => {
  const { created_at: _, ...record } = csiToken.record;
  await change(["old"], (ledger) => ledger.tokens.put({ ...csiToken, record: record }));
  const newer = { ...csiToken, record: { ...csiToken.record, serial: "newer" }, previous: [] };
  await change(["new"], (ledger) => ledger.tokens.put(newer));
  expect((await look("new", "old")).tokens.list()[0]?.previous[0]).toMatchObject({ created_at: null });
});

test("where both names remember an object the new name's memory counts; from another only versions pass on", async () => {
  const joe = { ...jane, key: "user_profile:joe@globex" };
  await change(["old"], async (ledger) => {
    await fill(ledger);
    await remember(ledger, joe, (draft) => draft.noteVersion(["password_wo"], 1));
    remember(ledger, joe, (draft) => draft.noteValue(["sms"], "1"));
  });
  await change(["new"], (ledger) => remember(ledger, jane, (draft) => draft.noteVersion(["password_wo"], 9)));
  const ledger = await look("new", "old");
  expect(ledger.memory.sentVersion(jane, ["password_wo"])?.version).toBe(9);
  expect(ledger.memory.sentVersion(joe, ["password_wo"])?.version).toBe(1);
  expect(ledger.memory.isSameValue(joe, ["sms"], "1")).toBeUndefined();
});

test("intents and failed revocations of both names stand side by side", async () => {
  await change(["old"], fill);
  await change(["new"], (ledger) => {
    ledger.intents.put({ ...intent, started_at: "later" });
    ledger.failedRevocations.put({ ...failedRevocation, serial: "another" });
  });
  const ledger = await look("new", "old");
  expect(ledger.intents.list()).toEqual([{ ...intent, started_at: "later" }]);
  expect(ledger.failedRevocations.list().map(({ serial }) => serial)).toEqual([
    "another",
    failedRevocation.serial,
  ]);
});
