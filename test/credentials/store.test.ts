/** The store in a file: covers src/credentials/backend.ts and file-backend.ts, besides its own source. */
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  partName,
  CredentialStore,
  openStore,
  type Ledger,
  type OpenStoreOptions,
} from "../../src/credentials";
import type { Backend } from "../../src/credentials/backend";
import { storeLocked, storePlain, unfitStoreKey } from "../../src/problems";
import { temporaryFolder } from "../support/temp-folder";
import { CANARY, csiToken, failedRevocation, intent, jane, ORIGIN, OWNER } from "./samples";
import { thrown } from "../support/thrown";
import { remember } from "../support/memories";
import { storeKey } from "../support/store-key";

const folder = temporaryFolder();
const path = () => join(folder(), "credentials.json");

/** Changes the store as one apply would, and ends. */
async function change(task: (ledger: Ledger) => unknown, options: OpenStoreOptions = {}): Promise<void> {
  const store = openStore({ path: path(), ...options });
  await store.lock();
  try {
    await task(await store.ledger(partName(ORIGIN, OWNER, "tenancy")));
    await store.save();
  } finally {
    await store.unlock();
  }
}

const look = (options: OpenStoreOptions = {}) =>
  openStore({ path: path(), ...options }).ledger(partName(ORIGIN, OWNER, "tenancy"));

test("what one run keeps, the next one finds", async () => {
  await change(async (ledger) => {
    ledger.tokens.put(csiToken);
    ledger.intents.put(intent);
    ledger.failedRevocations.put(failedRevocation);
    remember(ledger, jane, (draft) => draft.noteValue(["sms"], "+41 79 123 45 67"));
    await remember(ledger, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  });
  const ledger = await look();
  expect(ledger.tokens.list()).toEqual([csiToken]);
  expect(ledger.tokens.get({ login: "csi@globex", name: "csi-prod" })).toEqual(csiToken);
  expect(ledger.intents.list()).toEqual([intent]);
  expect(ledger.failedRevocations.list()).toEqual([failedRevocation]);
  expect(ledger.memory.isSameValue(jane, ["sms"], "+41 79 123 45 67")).toBe(true);
  expect(ledger.memory.sentVersion(jane, ["password_wo"])).toMatchObject({ version: 3 });
  await expect(ledger.memory.isSameSecret(jane, ["password_wo"], "correct horse")).resolves.toBe(true);
});

test("a plan for an apply reads a store that is locked, and changes nothing of it before the apply begins to", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  const store = openStore({ path: path() });
  await store.reserve({}, []);
  await expect(openStore({ path: path() }).reserve({ timeout: 0 })).rejects.toThrow(thrown(storeLocked));
  const planned = await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  expect(() => planned.intents.put(intent)).toThrow();

  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).intents.put(intent);
  expect(planned.intents.list()).toEqual([]);
  await store.save();
  await store.unlock();
  expect((await look()).intents.list()).toEqual([intent]);
  await change(() => undefined);
});

test("parts that have locks of their own are locked in the order of their names, and released if one of them is held", async () => {
  const calls: string[] = [];
  let isHeld = false;
  const backend: Backend = {
    description: "kept by a test",
    slotOf: ({ stack }) => stack,
    read: async () => undefined,
    write: async () => undefined,
    lock: async () => undefined,
    lockPart: async ({ stack }) => {
      if (isHeld && stack === "b") throw storeLocked.error({ store: "kept by a test", holder: {} });
      calls.push(`lock ${stack}`);
    },
    unlock: async () => void calls.push("unlock"),
  };
  const store = new CredentialStore(backend);
  const parts = ["c", "a", "b"].map((stack) => partName(ORIGIN, stack, "tenancy"));
  await store.reserve({}, parts);
  await store.unlock();
  expect(calls.splice(0)).toEqual(["lock a", "lock b", "lock c", "unlock"]);
  isHeld = true;
  await expect(store.reserve({}, parts)).rejects.toThrow(thrown(storeLocked));
  expect(calls).toEqual(["lock a", "unlock"]);
  expect(store.isReserved).toBe(false);
});

test("a store that nobody saved is absent, and reading makes none", async () => {
  const ledger = await look();
  expect(ledger.exists).toBe(false);
  expect(ledger.tokens.list()).toEqual([]);
  expect(await readdir(folder())).toEqual([]);
});

test("a store is there from its first save on, whatever is in it", async () => {
  await change((ledger) => ledger.make([]));
  expect((await look()).exists).toBe(true);
  const other = await openStore({ path: path() }).ledger(
    partName("https://other.example", "other", "tenancy"),
  );
  expect(other).toMatchObject({ exists: false, isStoreThere: true });
});

test("saving writes nothing while nothing changed", async () => {
  await change(() => undefined);
  expect((await look()).exists).toBe(false);
  await change((ledger) => ledger.tokens.put(csiToken));
  const { ino } = await stat(path());
  await change((ledger) => ledger.tokens.list());
  expect((await stat(path())).ino).toBe(ino);
});

test("the file and its folder are private", async () => {
  const deep = join(folder(), ".tenancy", "credentials.json");
  const store = openStore({ path: deep });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await store.save();
  await store.unlock();
  expect((await stat(deep)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(deep))).mode & 0o777).toBe(0o700);
  expect(await readdir(dirname(deep))).toEqual(["credentials.json"]);
});

test("an existing folder keeps its rights", async () => {
  await mkdir(join(folder(), "shared"), { mode: 0o755 });
  const store = openStore({ path: join(folder(), "shared", "store.json") });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await store.save();
  await store.unlock();
  expect((await stat(join(folder(), "shared"))).mode & 0o777).toBe(0o755);
});

test("entries go to their own origin and owner, and no other", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  const store = openStore({ path: path() });
  for (const [origin, owner] of [
    ["https://storage.example:8443", OWNER],
    ["http://storage.example", OWNER],
    ["https://storage.example.evil.example", OWNER],
    [ORIGIN, "acme-infra"],
  ] as const)
    expect((await store.ledger(partName(origin, owner, "tenancy"))).tokens.list()).toEqual([]);
});

test("an origin is one origin however its address is written, and an owner one owner", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  (await store.ledger(partName("HTTPS://Storage.Example:443/", "prod", "tenancy"))).tokens.put(csiToken);
  await store.save();
  await store.unlock();
  const ledger = await openStore({ path: path() }).ledger(
    partName("https://storage.example/api", "prod", "tenancy"),
  );
  expect(ledger.tokens.list()).toEqual([csiToken]);
  expect(ledger.name.origin).toBe("https://storage.example");
});

test.each(["storage.example", "file:///etc/passwd", ""])("%p has no origin", (url) => {
  expect(() => partName(url, OWNER, "tenancy")).toThrow("begins with http or https");
});

test("without the lock a ledger that was looked at leaves no trace in the next one", async () => {
  const store = openStore({ path: path() });
  await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  expect((await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).digestKey("saved plan")).toBeUndefined();
});

test("two parts of one store are kept side by side", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  (await store.ledger(partName("https://other.example", OWNER, "tenancy"))).tokens.put({
    ...csiToken,
    name: "other",
  });
  await store.save();
  await store.unlock();
  expect((await look()).tokens.list().map(({ name }) => name)).toEqual(["csi-prod"]);
  const other = await openStore({ path: path() }).ledger(partName("https://other.example", OWNER, "tenancy"));
  expect(other.tokens.list().map(({ name }) => name)).toEqual(["other"]);
});

test("without the lock a ledger may be read and not changed", async () => {
  const ledger = await look();
  const tries = [
    () => ledger.tokens.put(csiToken),
    () => ledger.tokens.remove(csiToken),
    () => remember(ledger, jane, (draft) => draft.noteValue(["sms"], "1")),
    () => ledger.memory.begin(jane.key),
  ];
  for (const attempt of tries) expect(attempt).toThrow("without its lock");
  await expect(remember(ledger, jane, (draft) => draft.noteVersion(["password_wo"], 1))).rejects.toThrow(
    "without its lock",
  );
  await expect(openStore({ path: path() }).erase(partName(ORIGIN, OWNER, "tenancy"))).rejects.toThrow(
    "without its lock",
  );
});

test("after the lock has ended, its ledgers take no changes, and new ones show what others keep", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  const ledger = await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await store.unlock();
  expect(() => ledger.tokens.put(csiToken)).toThrow("without its lock");
  await change((other) => other.tokens.put(csiToken));
  const after = await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  expect(after.tokens.list()).toEqual([csiToken]);
  expect(() => after.tokens.remove(csiToken)).toThrow("without its lock");
});

test("values that are saved already are not written again", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await store.save();
  const { ino } = await stat(path());
  await store.save();
  expect((await stat(path())).ino).toBe(ino);
  await store.unlock();
});

test("a ledger from before the lock cannot undo what was kept meanwhile", async () => {
  const store = openStore({ path: path() });
  const before = await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await change((ledger) => ledger.tokens.put(csiToken));
  await store.lock();
  try {
    expect(before.tokens.list()).toEqual([]);
    expect(() => before.tokens.remove(csiToken)).toThrow("without its lock");
    expect((await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([csiToken]);
  } finally {
    await store.unlock();
  }
});

test("many saves at once all last, in few writes", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  const ledger = await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      ledger.tokens.put({ ...csiToken, name: `token-${index}` });
      await store.save();
      const kept = await openStore({ path: path() }).ledger(partName(ORIGIN, OWNER, "tenancy"));
      expect(kept.tokens.get({ login: csiToken.login, name: `token-${index}` })).toBeDefined();
    }),
  );
  await store.unlock();
  expect((await look()).tokens.list()).toHaveLength(200);
});

test("a save that failed is made up for by the next one", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  const ledger = await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  ledger.tokens.put(csiToken);
  await mkdir(join(path(), "in-the-way"), { recursive: true });
  await expect(store.save()).rejects.toMatchObject({ code: "TENANCY_STORE_UNUSABLE" });
  expect((await readdir(folder())).sort()).toEqual(["credentials.json", "credentials.json.lock"]);
  await rm(path(), { recursive: true });
  await store.save();
  await store.unlock();
  expect((await look()).tokens.list()).toEqual([csiToken]);
});

test("unlocking waits for the save under way", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  const saving = store.save();
  await store.unlock();
  await saving;
  expect((await look()).tokens.list()).toEqual([csiToken]);
});

test("what was saved outlasts a power cut: the file is on disk, and so is its name in the folder", async () => {
  const handle = await open(folder());
  const sync = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, "sync");
  await handle.close();
  try {
    await change((ledger) => ledger.tokens.put(csiToken));
    expect(sync).toHaveBeenCalledTimes(2);
  } finally {
    sync.mockRestore();
  }
});

test("a store whose lock was lost writes nothing", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await rm(`${path()}.lock`);
  await expect(store.save()).rejects.toMatchObject({ code: "TENANCY_STORE_LOCKED" });
  await store.unlock();
  expect(await readdir(folder())).toEqual([]);
});

test("a store that was unlocked can be locked again, and unlocking twice does no harm", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  await store.unlock();
  await store.unlock();
  await store.lock();
  await store.unlock();
  expect(await readdir(folder())).toEqual([]);
});

test("a store that is locked can still be read", async () => {
  const store = openStore({ path: path() });
  await store.lock();
  const seen = await openStore({ path: path() }).ledger(partName(ORIGIN, OWNER, "tenancy"));
  await store.unlock();
  expect(seen.tokens.list()).toEqual([]);
});

test("erasing leaves nothing of an owner, and the store in its place", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  const store = openStore({ path: path() });
  await store.lock();
  await store.erase(partName(ORIGIN, OWNER, "tenancy"));
  await store.save();
  await store.unlock();
  const ledger = await look();
  expect(ledger).toMatchObject({ exists: false, isStoreThere: true });
  expect(ledger.tokens.list()).toEqual([]);
  expect(await readFile(path(), "utf8")).not.toContain(OWNER);
});

test("an object of which nothing is remembered any more leaves no trace in the store", async () => {
  await change((ledger) => ledger.memory.note({ object: jane, left: { level: 3 }, declaration: null }));
  expect(await readFile(path(), "utf8")).toContain(jane.key);
  await change((ledger) => ledger.memory.forgetLeft(jane.key));
  expect(await readFile(path(), "utf8")).not.toContain(jane.key);
});

test("a store without doubtful tokens and passwords left from creating tokens does not mention them", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  const text = await readFile(path(), "utf8");
  expect(text).not.toContain("doubtful_tokens");
  expect(text).not.toContain("temporary_passwords");
});

test("a helper is locked for an apply alone, and has its entry erased once nothing is left in it", async () => {
  const [program, calls] = [join(folder(), "helper.sh"), join(folder(), "calls")];
  await writeFile(program, `cat > /dev/null; echo "$2" >> "$1"\n`);
  const store = openStore({ helper: { command: `sh '${program}' '${calls}'` } });
  await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await store.save();
  await store.erase(partName(ORIGIN, OWNER, "tenancy"));
  await store.save();
  await store.unlock();
  const verbs = ["get", "lock", "get", "store", "erase", "unlock"];
  expect((await readFile(calls, "utf8")).split("\n")).toEqual([...verbs, ""]);
});

test("the note of what an apply is about to write lasts, and a store of which none was made has none", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  expect(await readFile(path(), "utf8")).not.toContain("memory");
  await change((ledger) => ledger.memory.begin(jane.key));
  expect((await look()).memory.isPending(jane.key)).toBe(true);
});

test("what a later release added to an object survives, though nothing else is remembered of it", async () => {
  await change((ledger) => remember(ledger, jane, (draft) => draft.noteValue(["sms"], "1")));
  const document = JSON.parse(await readFile(path(), "utf8")) as {
    parts: [{ memory: { objects: Record<string, object> } }];
  };
  document.parts[0].memory.objects[jane.key] = { uuid: jane.uuid, new_in_entry: "kept" };
  await writeFile(path(), JSON.stringify(document));
  await change((ledger) => ledger.tokens.put(csiToken));
  expect(await readFile(path(), "utf8")).toContain("new_in_entry");
});

test("what a later release added survives, at every depth", async () => {
  await change(async (ledger) => {
    ledger.tokens.put(csiToken);
    ledger.intents.put(intent);
    ledger.failedRevocations.put(failedRevocation);
    await remember(ledger, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  });
  interface Open {
    [member: string]: unknown;
  }
  type Additions = Open & {
    parts: (Open & { tokens: Open[]; intents: Open[]; memory: { objects: Record<string, Open> } })[];
  };
  const document = JSON.parse(await readFile(path(), "utf8")) as Additions;
  document.new_in_document = { a: 1 };
  const [part] = document.parts;
  if (part === undefined) throw new Error("no part");
  part.new_in_part = [true];
  for (const entry of [part.tokens[0], part.intents[0], part.memory.objects[jane.key]])
    if (entry !== undefined) entry.new_in_entry = "kept";
  await writeFile(path(), JSON.stringify(document));
  await change((ledger) => {
    ledger.tokens.put({ ...csiToken, keepers: null });
    remember(ledger, jane, (draft) => draft.noteValue(["sms"], "1"));
  });
  const after = JSON.parse(await readFile(path(), "utf8")) as Additions;
  expect(after.new_in_document).toEqual({ a: 1 });
  expect(after.parts[0]).toMatchObject({
    new_in_part: [true],
    tokens: [{ new_in_entry: "kept", keepers: null }],
    intents: [{ new_in_entry: "kept" }],
    memory: { objects: { [jane.key]: { new_in_entry: "kept" } } },
  });
});

test("integers beyond 2^53 and keys named __proto__ come back as they went", async () => {
  const record = JSON.parse(`{"__proto__": {"polluted": true}}`) as object;
  await change(async (ledger) => {
    ledger.tokens.put({ ...csiToken, record: { ...csiToken.record, ...record, app_id: 9007199254740993n } });
    await remember(ledger, { ...jane, key: "__proto__" }, (draft) =>
      draft.noteVersion(["password_wo"], 9007199254740993n),
    );
  });
  const ledger = await look();
  const kept = ledger.tokens.list()[0]?.record;
  expect(kept?.app_id).toBe(9007199254740993n);
  expect(Object.keys(kept ?? {})).toContain("__proto__");
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(ledger.memory.sentVersion({ ...jane, key: "__proto__" }, ["password_wo"])?.version).toBe(
    9007199254740993n,
  );
});

test("a plain store shows what it is to whoever opens it, and no password", async () => {
  await change((ledger) =>
    remember(ledger, jane, (draft) => draft.noteVersion(["password_wo"], 1, "correct horse")),
  );
  const text = await readFile(path(), "utf8");
  expect(JSON.parse(text)).toMatchObject({ format: "tenancy-credentials", version: 3 });
  expect(text).not.toContain("correct horse");
});

test("with a key nothing of the store can be read, the owner included", async () => {
  await change((ledger) => ledger.tokens.put(csiToken), { key: storeKey("open sesame, please") });
  const text = await readFile(path(), "utf8");
  for (const secret of [CANARY, OWNER, ORIGIN, csiToken.login, storeKey("open sesame, please")]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("base64").slice(2, -4));
  }
  expect((await look({ key: storeKey("open sesame, please") })).tokens.list()).toEqual([csiToken]);
});

test("with a key a plain store is refused, until the run is told to encrypt it", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  const key = storeKey("open sesame, please");
  await expect(look({ key })).rejects.toThrow(thrown(storePlain));
  await expect(change(() => undefined, { key })).rejects.toThrow(thrown(storePlain));
  const store = openStore({ path: path(), key, encryptPlain: true });
  expect(store.isToBeEncrypted).toBe(false);
  expect((await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([csiToken]);
  expect(store.isToBeEncrypted).toBe(true);
  expect(await readFile(path(), "utf8")).toContain(CANARY);
  await change(() => undefined, { key, encryptPlain: true });
  expect(await readFile(path(), "utf8")).not.toContain(CANARY);
  expect((await look({ key })).tokens.list()).toEqual([csiToken]);
});

test.each(["", "correct horse battery staple", `${storeKey("mine")}x`])(
  "the key %j is refused, plain or encrypted as the store may be, with the command that makes one",
  async (key) => {
    for (const encryptPlain of [false, true])
      expect(() => openStore({ path: path(), key, encryptPlain })).toThrow(thrown(unfitStoreKey));
    const store = openStore({ path: path(), key: storeKey("mine") });
    await expect(store.rekey(key)).rejects.toMatchObject({
      code: unfitStoreKey.code,
      advice: expect.stringContaining("`tenancy key new`") as string,
    });
  },
);

test("a store that was replaced since it was read is told from one that was not, or was not read", async () => {
  await change((ledger) => ledger.tokens.put(csiToken));
  const store = openStore({ path: path() });
  expect(await store.isReplaced()).toBe(false);
  await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  expect(await store.isReplaced()).toBe(false);
  await change((ledger) => ledger.tokens.remove(csiToken));
  expect(await store.isReplaced()).toBe(true);
});

test("what is published of stacks is told with whether there is a store at all, and makes none", async () => {
  const declared = { hasPlainKeepers: () => false, valueOf: () => undefined };
  const published = (...stacks: readonly string[]) =>
    openStore({ path: path() }).published(
      stacks.map((stack) => partName(ORIGIN, stack, "tenancy")),
      declared,
    );
  expect(await published(OWNER)).toEqual({ exists: false, parts: [], versions: {} });
  await change((ledger) => ledger.tokens.put(csiToken));
  const { exists, parts } = await published("another", OWNER);
  expect(exists).toBe(true);
  expect(parts).toMatchObject([{ stack: OWNER, tokens: [{ login: csiToken.login }] }]);
  expect(JSON.stringify(parts)).not.toContain(CANARY);
});

test("a store whose reading fails while it is unlocked is unlocked all the same", async () => {
  await writeFile(path(), "{", { mode: 0o600 });
  const store = openStore({ path: path() });
  await store.lock();
  const reading = expect(store.ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toThrow("damaged");
  await store.unlock();
  await reading;
  expect(await readdir(folder())).toEqual(["credentials.json"]);
});

test("reading, saving and locking leave no file open", async () => {
  const count = async () => (await readdir("/dev/fd")).length;
  await change((ledger) => ledger.tokens.put(csiToken));
  const before = await count();
  for (let run = 0; run < 5; run++)
    await change((ledger) => ledger.tokens.put({ ...csiToken, keepers: String(run) }));
  expect(await count()).toBe(before);
});

test("a store is named by its path, in the project's folder unless another is given", () => {
  expect(openStore().description).toBe(".tenancy/credentials.json");
  expect(openStore({ path: "elsewhere.json" }).description).toBe("elsewhere.json");
});
