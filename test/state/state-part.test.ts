/** What the state keeps for one owner at one service: covers src/state/entries.ts and object-entries.ts, besides its own source. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { partName, openState, type TenancyState, type StatePart } from "../../src/state";
import type { Path } from "../../src/lib/values";
import { temporaryFolder } from "../support/temp-folder";
import { csiToken, failedRevocation, intent, jane, ORIGIN, OWNER } from "./samples";
import { remember } from "../support/memories";

const folder = temporaryFolder();
const path = () => join(folder(), "state.json");
let state: TenancyState;
let part: StatePart;

beforeEach(async () => {
  state = openState({ path: path() });
  await state.lock();
  part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
});
afterEach(() => state.unlock());

const secret = ["password_wo"];

test("a token is known by its login and its name", () => {
  part.tokens.put(csiToken);
  expect(part.tokens.get({ login: "csi@globex", name: "csi-prod" })).toEqual(csiToken);
  expect(part.tokens.get({ login: "csi@globex", name: "csi-test" })).toBeUndefined();
  expect(part.tokens.get({ login: "csi@initech", name: "csi-prod" })).toBeUndefined();
  expect(part.tokens.get({ login: "", name: 'csi@globex","csi-prod' })).toBeUndefined();
});

test("names are the same in whatever normal form they come", () => {
  part.tokens.put({ ...csiToken, login: "ren\u00e9@caf\u00e9", name: "cl\u00e9" });
  expect(part.tokens.get({ login: "rene\u0301@cafe\u0301", name: "cle\u0301" })).toBeDefined();
});

test("a token put again replaces the first one", () => {
  part.tokens.put(csiToken);
  part.tokens.put({ ...csiToken, keepers: null, previous: [] });
  expect(part.tokens.list()).toEqual([{ ...csiToken, keepers: null, previous: [] }]);
});

test("a removed token is gone, and removing it again does no harm", () => {
  part.tokens.put(csiToken);
  expect(part.tokens.remove(csiToken)).toBe(true);
  expect(part.tokens.remove(csiToken)).toBe(false);
  expect(part.tokens.list()).toEqual([]);
});

test("entries come in the order in which they were put", () => {
  for (const name of ["b", "a", "c"]) part.tokens.put({ ...csiToken, name });
  expect(part.tokens.list().map(({ name }) => name)).toEqual(["b", "a", "c"]);
});

test("a token that could not be read again is not taken", () => {
  const broken = { ...csiToken, record: { ...csiToken.record, serial: null as unknown as string } };
  expect(() => part.tokens.put(broken)).toThrow("tokens.record.serial is not a string");
  expect(part.tokens.list()).toEqual([]);
});

test("the state keeps when a previous token was made, and that an object had no version", async () => {
  const [previous] = csiToken.previous;
  const token = { ...csiToken, previous: [{ ...previous!, created_at: "2026-01-01T00:00:00.000+00:00" }] };
  part.tokens.put(token);
  await remember(part, jane, (draft) => draft.noteVersion(secret, null));
  await state.save();
  const kept = await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"));
  expect(kept.tokens.list()).toEqual([token]);
  expect(kept.objects.sentVersion(jane, secret)).toEqual({ version: null, hash: null });
});

test("two intents for one token are two, and each is closed by its id", () => {
  part.intents.put(intent);
  part.intents.put({ ...intent, id: "another" });
  expect(part.intents.list()).toHaveLength(2);
  part.intents.remove({ id: intent.id });
  expect(part.intents.list()).toEqual([{ ...intent, id: "another" }]);
});

test("a failed revocation is known by the serial of its token", () => {
  part.failedRevocations.put(failedRevocation);
  part.failedRevocations.put({ ...failedRevocation, failed_at: "later" });
  expect(part.failedRevocations.list()).toEqual([{ ...failedRevocation, failed_at: "later" }]);
  expect(part.failedRevocations.remove({ serial: failedRevocation.serial })).toBe(true);
});

describe("a token that an earlier state may know", () => {
  const doubtful = { login: "csi@globex", user_id: "user_profile:1:9", name: "csi-prod" };

  test("is noted when the state is made, and known to every later run until somebody removes the note", async () => {
    part.make([doubtful, { ...doubtful, login: "ci@globex", name: null }]);
    await state.save();
    await state.unlock();
    await state.lock();
    const later = await state.part(partName(ORIGIN, OWNER, "tenancy"));
    expect(later.exists).toBe(true);
    expect(later.possiblyIssued.get(doubtful)).toEqual(doubtful);
    expect(later.possiblyIssued.get({ login: "ci@globex", name: null })).toMatchObject({ name: null });
    // One without a name is another than one that is called so.
    expect(later.possiblyIssued.get({ login: "ci@globex", name: "csi-prod" })).toBeUndefined();
    expect(later.possiblyIssued.get({ login: "csi@globex", name: null })).toBeUndefined();
    expect(later.possiblyIssued.remove(doubtful)).toBe(true);
  });

  test("is the same in whatever normal form its names come", () => {
    part.make([{ ...doubtful, login: "ren\u00e9@globex", name: "cl\u00e9" }]);
    expect(part.possiblyIssued.get({ login: "rene\u0301@globex", name: "cle\u0301" })).toBeDefined();
  });

  test("has a login, a user and a name, or else none", () => {
    const bad = [{ name: 7 }, { name: undefined }, { login: null }, { user_id: 1 }];
    for (const members of bad)
      expect(() => part.make([{ ...doubtful, ...members } as never])).toThrow(/doubtful_tokens\.\w+ is not/);
  });
});

test("a password that was set for creating a token is known by its user to every later run", async () => {
  const left = { login: "csi@globex", user_id: "user_profile:1:9", set_at: "2026-01-02T03:04:05.678Z" };
  part.temporaryPasswords.put(left);
  await state.save();
  const kept = await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"));
  expect(kept.temporaryPasswords.get({ user_id: left.user_id })).toEqual(left);
  const nobodys = { ...left, user_id: null } as never;
  expect(() => part.temporaryPasswords.put(nobodys)).toThrow("temporary_passwords.user_id is not a string");
});

test("which tokens the service refused is kept with their serial numbers", () => {
  const refused = [{ serial: "ATH4700000000000001", refused_at: "2026-01-02T03:04:05.678Z" }];
  part.tokens.put({ ...csiToken, refused });
  expect(part.tokens.get(csiToken)).toEqual({ ...csiToken, refused });
  const nameless = { ...csiToken, refused: [{ ...refused[0], serial: 7 }] } as never;
  expect(() => part.tokens.put(nameless)).toThrow(/refused.*serial is not a string/);
});

test("a state is made for an owner who keeps nothing yet, so that the next run finds it", async () => {
  part.make([]);
  await state.save();
  await state.unlock();
  await state.lock();
  expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(true);
  expect((await state.part(partName(ORIGIN, "another", "tenancy"))).exists).toBe(false);
});

test("the logins that other stacks and services keep something of are told, and nothing besides", async () => {
  part.tokens.put({ ...csiToken, login: "ren\u00e9@globex" });
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  remember(part, { ...jane, key: "account:globex" }, (draft) => draft.noteValue(["sms"], "1"));
  await state.save();
  await state.unlock();
  await state.lock();
  const other = await state.part(partName(ORIGIN, "another", "tenancy"));
  expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).neighbours).toEqual([]);
  const [neighbour] = other.neighbours;
  expect(neighbour).toMatchObject({ origin: ORIGIN, stack: OWNER, provider: "tenancy" });
  expect([...(neighbour?.logins ?? [])]).toEqual(["ren\u00e9@globex", "jane@globex"]);
  expect(neighbour?.tokens).toEqual([{ login: "ren\u00e9@globex", name: "csi-prod" }]);
});

test("a version is remembered for the record that has this uuid, in either case", async () => {
  await remember(part, jane, (draft) => draft.noteVersion(secret, 2, "correct horse"));
  expect(part.objects.sentVersion({ ...jane, uuid: jane.uuid.toUpperCase() }, secret)?.version).toBe(2);
});

test("what is remembered of a deleted record is not about its successor of the same name", async () => {
  const successor = { ...jane, uuid: "6e4f46a6-b0ab-5b69-a4ff-1ac2c4f96f01" };
  await remember(part, jane, (draft) => draft.noteVersion(secret, 2, "correct horse"));
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  expect(part.objects.sentVersion(successor, secret)).toBeUndefined();
  expect(part.objects.isSameValue(successor, ["sms"], "1")).toBeUndefined();
  await expect(part.objects.isSameSecret(successor, secret, "correct horse")).resolves.toBeUndefined();
  remember(part, successor, (draft) => draft.noteValue(["email"], "jane@acme.example"));
  expect(part.objects.isSameValue(jane, ["sms"], "1")).toBeUndefined();
  expect(part.objects.sentVersion(successor, secret)).toBeUndefined();
});

test("it is known whether any version of an object was ever sent or noted", async () => {
  expect(part.objects.hasSentVersion(jane)).toBe(false);
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  await remember(part, jane, (draft) => draft.noteVersion(["two_factor_secret"], null));
  expect(part.objects.hasSentVersion(jane)).toBe(false);
  await remember(part, jane, (draft) => draft.noteVersion(secret, 1));
  expect(part.objects.hasSentVersion(jane)).toBe(true);
});

test("one object's versions and digests stand side by side", async () => {
  await remember(part, jane, (draft) => draft.noteVersion(secret, 2));
  await remember(part, jane, (draft) => draft.noteVersion(["two_factor_secret"], "v1"));
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  expect(part.objects.sentVersion(jane, secret)).toEqual({ version: 2, hash: null });
  expect(part.objects.sentVersion(jane, ["two_factor_secret"])).toEqual({ version: "v1", hash: null });
  expect(part.objects.isSameValue(jane, ["sms"], "1")).toBe(true);
});

test("a secret is told from another, and nothing is said where none was at hand", async () => {
  await remember(part, jane, (draft) => draft.noteVersion(secret, 1, "correct horse"));
  await expect(part.objects.isSameSecret(jane, secret, "correct horse")).resolves.toBe(true);
  await expect(part.objects.isSameSecret(jane, secret, "battery staple")).resolves.toBe(false);
  await expect(part.objects.isSameSecret(jane, ["other"], "correct horse")).resolves.toBeUndefined();
  await remember(part, jane, (draft) => draft.noteVersion(secret, null));
  await expect(part.objects.isSameSecret(jane, secret, "correct horse")).resolves.toBeUndefined();
});

test("a masked value is the same, another one, or not remembered", () => {
  expect(part.objects.isSameValue(jane, ["sms"], "1")).toBeUndefined();
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  expect(part.objects.isSameValue(jane, ["sms"], "1")).toBe(true);
  expect(part.objects.isSameValue(jane, ["sms"], "2")).toBe(false);
  expect(part.objects.isSameValue(jane, ["sms"], null)).toBe(false);
  expect(part.objects.isSameValue(jane, ["email"], "1")).toBeUndefined();
});

test("what is forgotten of one object is kept of the others", () => {
  const joe = { key: "user_profile:joe@globex", uuid: jane.uuid };
  remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  remember(part, joe, (draft) => draft.noteValue(["sms"], "1"));
  part.objects.forget(jane.key);
  part.objects.forget("never heard of");
  expect(part.objects.isSameValue(jane, ["sms"], "1")).toBeUndefined();
  expect(part.objects.isSameValue(joe, ["sms"], "1")).toBe(true);
});

test("an object is the same in whatever normal form its name comes", () => {
  remember(part, { ...jane, key: "account:caf\u00e9" }, (draft) => draft.noteValue(["email"], "1"));
  expect(part.objects.isSameValue({ ...jane, key: "account:cafe\u0301" }, ["email"], "1")).toBe(true);
  part.objects.forget("account:cafe\u0301");
  expect(part.objects.isSameValue({ ...jane, key: "account:caf\u00e9" }, ["email"], "1")).toBeUndefined();
});

describe("what a write is about to send", () => {
  const sends = (secrets: readonly Path[], values: readonly Path[]) =>
    part.objects.begin(jane.key, { object: jane, secrets, values });
  const known = () => [
    part.objects.sentVersion(jane, secret)?.version,
    part.objects.isSameValue(jane, ["sms"], "1"),
  ];
  const remembered = async () => {
    await remember(part, jane, (draft) => draft.noteVersion(secret, 2, "correct horse"));
    remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  };

  test("is known neither way until somebody knows how the write ended, and as before if nothing was written", async () => {
    await remembered();
    const write = sends([secret], [["sms"]]);
    expect(known()).toEqual([null, false]);
    await expect(part.objects.isSameSecret(jane, secret, "correct horse")).resolves.toBeUndefined();
    await state.save();
    const killed = await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"));
    expect(killed.objects.sentVersion(jane, secret)).toEqual({ version: null, hash: null });
    expect(killed.objects.isPending(jane.key)).toBe(true);
    write.undo();
    expect(known()).toEqual([2, true]);
    expect(part.objects.isPending(jane.key)).toBe(false);
    await state.save();
    const done = await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"));
    expect(done.objects.sentVersion(jane, secret)?.version).toBe(2);
  });

  test.each([
    ["a secret alone", [secret], [], [null, true]],
    ["a value alone", [], [["sms"]], [2, false]],
    ["nothing of this kind", [], [], [2, true]],
  ])("may be %s", async (_what, secrets, values, expected) => {
    await remembered();
    sends(secrets, values);
    expect(known()).toEqual(expected);
  });

  test("is nothing that is remembered later where nothing was before", async () => {
    const write = sends([secret], [["sms"]]);
    expect(known()).toEqual([null, false]);
    write.undo();
    expect(known()).toEqual([undefined, undefined]);
    await state.save();
    expect(await readFile(path(), "utf8")).not.toContain(jane.key);
  });

  test("leaves what is remembered beside it, as it was before, as it is now, or not at all for a new object", async () => {
    for (const [base, expected] of [
      ["before", [2, true]],
      ["begun", [null, false]],
      ["nothing", [undefined, undefined]],
    ] as const) {
      await remembered();
      const draft = sends([secret], [["sms"]]).draft(jane, base);
      draft.noteLeft({ left: {}, declaration: {} });
      draft.keep();
      expect([base, ...known()]).toEqual([base, ...expected]);
      expect(part.objects.isPending(jane.key)).toBe(false);
    }
  });
});

test("digests kept elsewhere have a key for each purpose, which lasts", async () => {
  const key = part.digestKey("saved plan");
  expect(key).toHaveLength(32);
  expect(part.digestKey("something else")).not.toEqual(key);
  expect((await state.part(partName(ORIGIN, "acme-infra", "tenancy"))).digestKey("saved plan")).not.toEqual(
    key,
  );
  part.tokens.put(csiToken);
  await state.save();
  expect(
    (await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"))).digestKey("saved plan"),
  ).toEqual(key);
});

test("where nothing is kept yet, a plan has no key that would last", async () => {
  expect(
    (await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"))).digestKey("saved plan"),
  ).toBeUndefined();
});
