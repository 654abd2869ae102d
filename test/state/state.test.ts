/** The state in a file: covers src/state/backend.ts and file-backend.ts, besides its own source. */
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { partName, TenancyState, openState, type StatePart, type OpenStateOptions } from "../../src/state";
import type { Backend } from "../../src/state/backend";
import { stateLocked, statePlain, unfitStateKey } from "../../src/problems";
import { temporaryFolder } from "../support/temp-folder";
import { CANARY, csiToken, failedRevocation, intent, jane, ORIGIN, OWNER } from "./samples";
import { thrown } from "../support/thrown";
import { remember } from "../support/memories";
import { stateKey } from "../support/state-key";

const folder = temporaryFolder();
const path = () => join(folder(), "state.json");

/** Changes the state as one apply would, and ends. */
async function change(task: (part: StatePart) => unknown, options: OpenStateOptions = {}): Promise<void> {
  const state = openState({ path: path(), ...options });
  await state.lock();
  try {
    await task(await state.part(partName(ORIGIN, OWNER, "tenancy")));
    await state.save();
  } finally {
    await state.unlock();
  }
}

const look = (options: OpenStateOptions = {}) =>
  openState({ path: path(), ...options }).part(partName(ORIGIN, OWNER, "tenancy"));

test("what one run keeps, the next one finds", async () => {
  await change(async (part) => {
    part.tokens.put(csiToken);
    part.intents.put(intent);
    part.failedRevocations.put(failedRevocation);
    remember(part, jane, (draft) => draft.noteValue(["sms"], "+41 79 123 45 67"));
    await remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  });
  const part = await look();
  expect(part.tokens.list()).toEqual([csiToken]);
  expect(part.tokens.get({ login: "csi@globex", name: "csi-prod" })).toEqual(csiToken);
  expect(part.intents.list()).toEqual([intent]);
  expect(part.failedRevocations.list()).toEqual([failedRevocation]);
  expect(part.objects.isSameValue(jane, ["sms"], "+41 79 123 45 67")).toBe(true);
  expect(part.objects.sentVersion(jane, ["password_wo"])).toMatchObject({ version: 3 });
  await expect(part.objects.isSameSecret(jane, ["password_wo"], "correct horse")).resolves.toBe(true);
});

test("a plan for an apply reads a state that is locked, and changes nothing of it before the apply begins to", async () => {
  await change((part) => part.tokens.put(csiToken));
  const state = openState({ path: path() });
  await state.reserve({}, []);
  await expect(openState({ path: path() }).reserve({ timeout: 0 })).rejects.toThrow(thrown(stateLocked));
  const planned = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  expect(() => planned.intents.put(intent)).toThrow();

  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).intents.put(intent);
  expect(planned.intents.list()).toEqual([]);
  await state.save();
  await state.unlock();
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
      if (isHeld && stack === "b") throw stateLocked.error({ state: "kept by a test", holder: {} });
      calls.push(`lock ${stack}`);
    },
    unlock: async () => void calls.push("unlock"),
  };
  const state = new TenancyState(backend);
  const parts = ["c", "a", "b"].map((stack) => partName(ORIGIN, stack, "tenancy"));
  await state.reserve({}, parts);
  await state.unlock();
  expect(calls.splice(0)).toEqual(["lock a", "lock b", "lock c", "unlock"]);
  isHeld = true;
  await expect(state.reserve({}, parts)).rejects.toThrow(thrown(stateLocked));
  expect(calls).toEqual(["lock a", "unlock"]);
  expect(state.isReserved).toBe(false);
});

test("a state that nobody saved is absent, and reading makes none", async () => {
  const part = await look();
  expect(part.exists).toBe(false);
  expect(part.tokens.list()).toEqual([]);
  expect(await readdir(folder())).toEqual([]);
});

test("a state is there from its first save on, whatever is in it", async () => {
  await change((part) => part.make([]));
  expect((await look()).exists).toBe(true);
  const other = await openState({ path: path() }).part(partName("https://other.example", "other", "tenancy"));
  expect(other).toMatchObject({ exists: false, isStateThere: true });
});

test("saving writes nothing while nothing changed", async () => {
  await change(() => undefined);
  expect((await look()).exists).toBe(false);
  await change((part) => part.tokens.put(csiToken));
  const { ino } = await stat(path());
  await change((part) => part.tokens.list());
  expect((await stat(path())).ino).toBe(ino);
});

test("the file and its folder are private", async () => {
  const deep = join(folder(), ".tenancy", "state.json");
  const state = openState({ path: deep });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.save();
  await state.unlock();
  expect((await stat(deep)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(deep))).mode & 0o777).toBe(0o700);
  expect(await readdir(dirname(deep))).toEqual(["state.json"]);
});

test("an existing folder keeps its rights", async () => {
  await mkdir(join(folder(), "shared"), { mode: 0o755 });
  const state = openState({ path: join(folder(), "shared", "state.json") });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.save();
  await state.unlock();
  expect((await stat(join(folder(), "shared"))).mode & 0o777).toBe(0o755);
});

test("entries go to their own origin and owner, and no other", async () => {
  await change((part) => part.tokens.put(csiToken));
  const state = openState({ path: path() });
  for (const [origin, owner] of [
    ["https://storage.example:8443", OWNER],
    ["http://storage.example", OWNER],
    ["https://storage.example.evil.example", OWNER],
    [ORIGIN, "acme-infra"],
  ] as const)
    expect((await state.part(partName(origin, owner, "tenancy"))).tokens.list()).toEqual([]);
});

test("an origin is one origin however its address is written, and an owner one owner", async () => {
  const state = openState({ path: path() });
  await state.lock();
  (await state.part(partName("HTTPS://Storage.Example:443/", "prod", "tenancy"))).tokens.put(csiToken);
  await state.save();
  await state.unlock();
  const part = await openState({ path: path() }).part(
    partName("https://storage.example/api", "prod", "tenancy"),
  );
  expect(part.tokens.list()).toEqual([csiToken]);
  expect(part.name.origin).toBe("https://storage.example");
});

test.each(["storage.example", "file:///etc/passwd", ""])("%p has no origin", (url) => {
  expect(() => partName(url, OWNER, "tenancy")).toThrow("begins with http or https");
});

test("without the lock a part that was looked at leaves no trace in the next one", async () => {
  const state = openState({ path: path() });
  await state.part(partName(ORIGIN, OWNER, "tenancy"));
  expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).digestKey("saved plan")).toBeUndefined();
});

test("two parts of one state are kept side by side", async () => {
  const state = openState({ path: path() });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  (await state.part(partName("https://other.example", OWNER, "tenancy"))).tokens.put({
    ...csiToken,
    name: "other",
  });
  await state.save();
  await state.unlock();
  expect((await look()).tokens.list().map(({ name }) => name)).toEqual(["csi-prod"]);
  const other = await openState({ path: path() }).part(partName("https://other.example", OWNER, "tenancy"));
  expect(other.tokens.list().map(({ name }) => name)).toEqual(["other"]);
});

test("without the lock a part may be read and not changed", async () => {
  const part = await look();
  const tries = [
    () => part.tokens.put(csiToken),
    () => part.tokens.remove(csiToken),
    () => remember(part, jane, (draft) => draft.noteValue(["sms"], "1")),
    () => part.objects.begin(jane.key),
  ];
  for (const attempt of tries) expect(attempt).toThrow("without its lock");
  await expect(remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 1))).rejects.toThrow(
    "without its lock",
  );
  await expect(openState({ path: path() }).erase(partName(ORIGIN, OWNER, "tenancy"))).rejects.toThrow(
    "without its lock",
  );
});

test("after the lock has ended, its parts take no changes, and new ones show what others keep", async () => {
  const state = openState({ path: path() });
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  await state.unlock();
  expect(() => part.tokens.put(csiToken)).toThrow("without its lock");
  await change((other) => other.tokens.put(csiToken));
  const after = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  expect(after.tokens.list()).toEqual([csiToken]);
  expect(() => after.tokens.remove(csiToken)).toThrow("without its lock");
});

test("values that are saved already are not written again", async () => {
  const state = openState({ path: path() });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.save();
  const { ino } = await stat(path());
  await state.save();
  expect((await stat(path())).ino).toBe(ino);
  await state.unlock();
});

test("a part from before the lock cannot undo what was kept meanwhile", async () => {
  const state = openState({ path: path() });
  const before = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  await change((part) => part.tokens.put(csiToken));
  await state.lock();
  try {
    expect(before.tokens.list()).toEqual([]);
    expect(() => before.tokens.remove(csiToken)).toThrow("without its lock");
    expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([csiToken]);
  } finally {
    await state.unlock();
  }
});

test("many saves at once all last, in few writes", async () => {
  const state = openState({ path: path() });
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      part.tokens.put({ ...csiToken, name: `token-${index}` });
      await state.save();
      const kept = await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"));
      expect(kept.tokens.get({ login: csiToken.login, name: `token-${index}` })).toBeDefined();
    }),
  );
  await state.unlock();
  expect((await look()).tokens.list()).toHaveLength(200);
});

test("a save that failed is made up for by the next one", async () => {
  const state = openState({ path: path() });
  await state.lock();
  const part = await state.part(partName(ORIGIN, OWNER, "tenancy"));
  part.tokens.put(csiToken);
  await mkdir(join(path(), "in-the-way"), { recursive: true });
  await expect(state.save()).rejects.toMatchObject({ code: "TENANCY_STATE_UNUSABLE" });
  expect((await readdir(folder())).sort()).toEqual(["state.json", "state.json.lock"]);
  await rm(path(), { recursive: true });
  await state.save();
  await state.unlock();
  expect((await look()).tokens.list()).toEqual([csiToken]);
});

test("unlocking waits for the save under way", async () => {
  const state = openState({ path: path() });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  const saving = state.save();
  await state.unlock();
  await saving;
  expect((await look()).tokens.list()).toEqual([csiToken]);
});

test("what was saved outlasts a power cut: the file is on disk, and so is its name in the folder", async () => {
  const handle = await open(folder());
  const sync = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, "sync");
  await handle.close();
  try {
    await change((part) => part.tokens.put(csiToken));
    expect(sync).toHaveBeenCalledTimes(2);
  } finally {
    sync.mockRestore();
  }
});

test("a state whose lock was lost writes nothing", async () => {
  const state = openState({ path: path() });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await rm(`${path()}.lock`);
  await expect(state.save()).rejects.toMatchObject({ code: "TENANCY_STATE_LOCKED" });
  await state.unlock();
  expect(await readdir(folder())).toEqual([]);
});

test("a state that was unlocked can be locked again, and unlocking twice does no harm", async () => {
  const state = openState({ path: path() });
  await state.lock();
  await state.unlock();
  await state.unlock();
  await state.lock();
  await state.unlock();
  expect(await readdir(folder())).toEqual([]);
});

test("a state that is locked can still be read", async () => {
  const state = openState({ path: path() });
  await state.lock();
  const seen = await openState({ path: path() }).part(partName(ORIGIN, OWNER, "tenancy"));
  await state.unlock();
  expect(seen.tokens.list()).toEqual([]);
});

test("erasing leaves nothing of an owner, and the state in its place", async () => {
  await change((part) => part.tokens.put(csiToken));
  const state = openState({ path: path() });
  await state.lock();
  await state.erase(partName(ORIGIN, OWNER, "tenancy"));
  await state.save();
  await state.unlock();
  const part = await look();
  expect(part).toMatchObject({ exists: false, isStateThere: true });
  expect(part.tokens.list()).toEqual([]);
  expect(await readFile(path(), "utf8")).not.toContain(OWNER);
});

test("an object has a line of its own in the state, and leaves no trace once nothing of it is remembered", async () => {
  await change((part) => part.objects.note({ object: jane, left: { level: 3 }, declaration: null }));
  expect(await readFile(path(), "utf8")).toContain(`\n"${jane.key}":{`);
  await change((part) => part.objects.forgetLeft(jane.key));
  expect(await readFile(path(), "utf8")).not.toContain(jane.key);
});

test("a state without doubtful tokens and passwords left from creating tokens does not mention them", async () => {
  await change((part) => part.tokens.put(csiToken));
  const text = await readFile(path(), "utf8");
  expect(text).not.toContain("doubtful_tokens");
  expect(text).not.toContain("temporary_passwords");
});

test("a helper is locked for an apply alone, and has its entry erased once nothing is left in it", async () => {
  const [program, calls] = [join(folder(), "helper.sh"), join(folder(), "calls")];
  await writeFile(program, `cat > /dev/null; echo "$2" >> "$1"\n`);
  const state = openState({ helper: { command: `sh '${program}' '${calls}'` } });
  await state.part(partName(ORIGIN, OWNER, "tenancy"));
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.save();
  await state.erase(partName(ORIGIN, OWNER, "tenancy"));
  await state.save();
  await state.unlock();
  const verbs = ["get", "lock", "get", "store", "erase", "unlock"];
  expect((await readFile(calls, "utf8")).split("\n")).toEqual([...verbs, ""]);
});

test("the note of what an apply is about to write lasts, and a state of which none was made has none", async () => {
  await change((part) => part.tokens.put(csiToken));
  expect(await readFile(path(), "utf8")).not.toContain("objects");
  await change((part) => part.objects.begin(jane.key));
  expect((await look()).objects.isPending(jane.key)).toBe(true);
});

test("what a later release added to an object survives, though nothing else is remembered of it", async () => {
  await change((part) => remember(part, jane, (draft) => draft.noteValue(["sms"], "1")));
  const document = JSON.parse(await readFile(path(), "utf8")) as {
    parts: [{ objects: { objects: Record<string, object> } }];
  };
  document.parts[0].objects.objects[jane.key] = { uuid: jane.uuid, new_in_entry: "kept" };
  await writeFile(path(), JSON.stringify(document));
  await change((part) => part.tokens.put(csiToken));
  expect(await readFile(path(), "utf8")).toContain("new_in_entry");
});

test("what a later release added survives, at every depth", async () => {
  await change(async (part) => {
    part.tokens.put(csiToken);
    part.intents.put(intent);
    part.failedRevocations.put(failedRevocation);
    await remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 3, "correct horse"));
  });
  interface Open {
    [member: string]: unknown;
  }
  type Additions = Open & {
    parts: (Open & { tokens: Open[]; intents: Open[]; objects: { objects: Record<string, Open> } })[];
  };
  const document = JSON.parse(await readFile(path(), "utf8")) as Additions;
  document.new_in_document = { a: 1 };
  const [part] = document.parts;
  if (part === undefined) throw new Error("no part");
  part.new_in_part = [true];
  for (const entry of [part.tokens[0], part.intents[0], part.objects.objects[jane.key]])
    if (entry !== undefined) entry.new_in_entry = "kept";
  await writeFile(path(), JSON.stringify(document));
  await change((part) => {
    part.tokens.put({ ...csiToken, keepers: null });
    remember(part, jane, (draft) => draft.noteValue(["sms"], "1"));
  });
  const after = JSON.parse(await readFile(path(), "utf8")) as Additions;
  expect(after.new_in_document).toEqual({ a: 1 });
  expect(after.parts[0]).toMatchObject({
    new_in_part: [true],
    tokens: [{ new_in_entry: "kept", keepers: null }],
    intents: [{ new_in_entry: "kept" }],
    objects: { objects: { [jane.key]: { new_in_entry: "kept" } } },
  });
});

test("integers beyond 2^53 and keys named __proto__ come back as they went", async () => {
  const record = JSON.parse(`{"__proto__": {"polluted": true}}`) as object;
  await change(async (part) => {
    part.tokens.put({ ...csiToken, record: { ...csiToken.record, ...record, app_id: 9007199254740993n } });
    await remember(part, { ...jane, key: "__proto__" }, (draft) =>
      draft.noteVersion(["password_wo"], 9007199254740993n),
    );
  });
  const part = await look();
  const kept = part.tokens.list()[0]?.record;
  expect(kept?.app_id).toBe(9007199254740993n);
  expect(Object.keys(kept ?? {})).toContain("__proto__");
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(part.objects.sentVersion({ ...jane, key: "__proto__" }, ["password_wo"])?.version).toBe(
    9007199254740993n,
  );
});

test("a plain state shows what it is to whoever opens it, and no password", async () => {
  await change((part) =>
    remember(part, jane, (draft) => draft.noteVersion(["password_wo"], 1, "correct horse")),
  );
  const text = await readFile(path(), "utf8");
  expect(JSON.parse(text)).toMatchObject({ format: "tenancy-state", version: 3 });
  expect(text).not.toContain("correct horse");
});

test("with a key nothing of the state can be read, the owner included", async () => {
  await change((part) => part.tokens.put(csiToken), { key: stateKey("open sesame, please") });
  const text = await readFile(path(), "utf8");
  for (const secret of [CANARY, OWNER, ORIGIN, csiToken.login, stateKey("open sesame, please")]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("base64").slice(2, -4));
  }
  expect((await look({ key: stateKey("open sesame, please") })).tokens.list()).toEqual([csiToken]);
});

test("with a key a plain state is refused, until the run is told to encrypt it", async () => {
  await change((part) => part.tokens.put(csiToken));
  const key = stateKey("open sesame, please");
  await expect(look({ key })).rejects.toThrow(thrown(statePlain));
  await expect(change(() => undefined, { key })).rejects.toThrow(thrown(statePlain));
  const state = openState({ path: path(), key, encryptPlain: true });
  expect(state.isToBeEncrypted).toBe(false);
  expect((await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.list()).toEqual([csiToken]);
  expect(state.isToBeEncrypted).toBe(true);
  expect(await readFile(path(), "utf8")).toContain(CANARY);
  await change(() => undefined, { key, encryptPlain: true });
  expect(await readFile(path(), "utf8")).not.toContain(CANARY);
  expect((await look({ key })).tokens.list()).toEqual([csiToken]);
});

test.each(["", "correct horse battery staple", `${stateKey("mine")}x`])(
  "the key %j is refused, plain or encrypted as the state may be, with the command that makes one",
  async (key) => {
    for (const encryptPlain of [false, true])
      expect(() => openState({ path: path(), key, encryptPlain })).toThrow(thrown(unfitStateKey));
    const state = openState({ path: path(), key: stateKey("mine") });
    await expect(state.rekey(key)).rejects.toMatchObject({
      code: unfitStateKey.code,
      advice: expect.stringContaining("`tenancy key new`") as string,
    });
  },
);

test("a state that was replaced since it was read is told from one that was not, or was not read", async () => {
  await change((part) => part.tokens.put(csiToken));
  const state = openState({ path: path() });
  expect(await state.isReplaced()).toBe(false);
  await state.part(partName(ORIGIN, OWNER, "tenancy"));
  expect(await state.isReplaced()).toBe(false);
  await change((part) => part.tokens.remove(csiToken));
  expect(await state.isReplaced()).toBe(true);
});

test("what is published of stacks is told with whether there is a state at all, and makes none", async () => {
  const declared = { hasPlainKeepers: () => false, valueOf: () => undefined };
  const published = (...stacks: readonly string[]) =>
    openState({ path: path() }).published(
      stacks.map((stack) => partName(ORIGIN, stack, "tenancy")),
      declared,
    );
  expect(await published(OWNER)).toEqual({ exists: false, parts: [], versions: {} });
  await change((part) => part.tokens.put(csiToken));
  const { exists, parts } = await published("another", OWNER);
  expect(exists).toBe(true);
  expect(parts).toMatchObject([{ stack: OWNER, tokens: [{ login: csiToken.login }] }]);
  expect(JSON.stringify(parts)).not.toContain(CANARY);
});

test("a state whose reading fails while it is unlocked is unlocked all the same", async () => {
  await writeFile(path(), "{", { mode: 0o600 });
  const state = openState({ path: path() });
  await state.lock();
  const reading = expect(state.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toThrow("damaged");
  await state.unlock();
  await reading;
  expect(await readdir(folder())).toEqual(["state.json"]);
});

test("reading, saving and locking leave no file open", async () => {
  const count = async () => (await readdir("/dev/fd")).length;
  await change((part) => part.tokens.put(csiToken));
  const before = await count();
  for (let run = 0; run < 5; run++)
    await change((part) => part.tokens.put({ ...csiToken, keepers: String(run) }));
  expect(await count()).toBe(before);
});

test("a state is named by its path, in the project's folder unless another is given", () => {
  expect(openState().description).toBe(".tenancy/state.json");
  expect(openState({ path: "elsewhere.json" }).description).toBe("elsewhere.json");
});
