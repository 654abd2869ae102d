/** Credential helpers, which are programs of their own: covers src/credentials/helper.ts. */
import { readdir, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { partName, openStore, type CredentialStore } from "../../../src/credentials";
import { HelperBackend, HelperProgram } from "../../../src/credentials/helper";
import { TenancyError, type LockHolder } from "../../../src/problems";
import { CANARY, csiToken, ORIGIN, OWNER } from "../../credentials/samples";
import { temporaryFolder } from "../../support/temp-folder";
import { storeKey } from "../../support/store-key";

const folder = temporaryFolder();
const helper = join(__dirname, "../../support/folder-helper.mjs");

function open(options: { mood?: string; key?: string; timeout?: number } = {}): CredentialStore {
  const command = `'${process.execPath}' "${helper}" '${folder()}' ${options.mood ?? ""}`;
  return openStore({
    helper: { command, ...(options.timeout !== undefined && { timeout: options.timeout }) },
    ...(options.key !== undefined && { key: options.key }),
  });
}

async function keep(store: CredentialStore): Promise<void> {
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await store.save();
  await store.unlock();
}

interface Call {
  readonly verb: string;
  readonly argv: readonly string[];
  readonly request: Record<string, unknown>;
}

const calls = async () =>
  (await readFile(join(folder(), "calls.log"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Call);

async function failure(mood: string, timeout?: number): Promise<TenancyError> {
  const store = open({ mood, ...(timeout !== undefined && { timeout }) });
  const error = await store.ledger(partName(ORIGIN, OWNER, "tenancy")).catch((reason: unknown) => reason);
  if (!(error instanceof TenancyError)) throw new Error("the helper did not fail", { cause: error });
  expect(error.code).toBe("TENANCY_CREDENTIAL_HELPER");
  expect(`${error.message} ${error.detail}`).not.toContain(CANARY);
  return error;
}

test("what a helper keeps, the next run finds", async () => {
  await keep(open());
  const ledger = await open().ledger(partName(ORIGIN, OWNER, "tenancy"));
  expect(ledger.exists).toBe(true);
  expect(ledger.tokens.list()).toEqual([csiToken]);
});

test("a helper is asked for parts that have a name alone, and has no list of them", async () => {
  await keep(open());
  await expect(open().partsAt(ORIGIN)).resolves.toEqual([]);
  expect((await calls()).map(({ request }) => request["origin"])).not.toContain("");
});

test("an entry that the helper doesn't have is absent, whatever else it has", async () => {
  expect((await open().ledger(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
  await keep(open());
  const other = await open().ledger(partName("https://other.example", OWNER, "tenancy"));
  expect(other.exists).toBe(false);
  expect(other.tokens.list()).toEqual([]);
});

test("a plan only gets; an apply locks, gets, stores and unlocks", async () => {
  await open().ledger(partName(ORIGIN, OWNER, "tenancy"));
  await keep(open());
  const made = await calls();
  expect(made.map(({ verb }) => verb)).toEqual(["get", "lock", "get", "store", "unlock"]);
  for (const { request } of made)
    expect(request).toMatchObject({ protocol: 1, origin: ORIGIN, stack: OWNER });
  const [, lock, , store, unlock] = made.map(({ request }) => request);
  expect(lock).toMatchObject({ lease_seconds: 90, holder: { pid: process.pid } });
  expect([store?.lock, unlock?.lock]).toEqual([lock?.lock, lock?.lock]);
});

test("no secret is among the arguments", async () => {
  await keep(open());
  for (const { argv } of await calls()) expect(argv.join(" ")).not.toContain(CANARY);
});

test("with a key a helper sees nothing of what it keeps", async () => {
  await keep(open({ key: storeKey("open sesame, please") }));
  const files = await Promise.all(
    (await readdir(folder())).map((file) => readFile(join(folder(), file), "utf8")),
  );
  expect(files.join()).not.toContain(CANARY);
  expect(
    (
      await open({ key: storeKey("open sesame, please") }).ledger(partName(ORIGIN, OWNER, "tenancy"))
    ).tokens.list(),
  ).toEqual([csiToken]);
  await expect(open().ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_STORE_KEY_MISSING",
  });
});

test("with a key a plain document that somebody puts where the helper keeps its own is refused", async () => {
  await keep(open());
  const planted = open({ key: storeKey("open sesame, please") }).ledger(partName(ORIGIN, OWNER, "tenancy"));
  await expect(planted).rejects.toMatchObject({ code: "TENANCY_STORE_PLAIN" });
});

test("a lock that another run holds is waited for, and refused in the end", async () => {
  const [holder, other] = [open(), open()];
  await holder.lock();
  await holder.ledger(partName(ORIGIN, OWNER, "tenancy"));
  const told: LockHolder[] = [];
  await other.lock({ timeout: 3_000, onWait: (who) => told.push(who) });
  await expect(other.ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_STORE_LOCKED",
    message: expect.stringContaining(`process ${process.pid} on `) as string,
  });
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
  expect(told).toEqual([{ pid: process.pid, host: hostname(), since }]);
  await holder.unlock();
  await expect(other.ledger(partName(ORIGIN, OWNER, "tenancy"))).resolves.toBeDefined();
  await other.unlock();
});

test("a lock is renewed for as long as the run lasts, by the same name", async () => {
  const command = `'${process.execPath}' "${helper}" '${folder()}'`;
  const backend = new HelperBackend(new HelperProgram({ command }), { lease: 0.3, poll: 10 });
  const part = { origin: ORIGIN, stack: OWNER, provider: "tenancy" };
  await backend.lockPart(part);
  await backend.lockPart(part);
  while ((await calls()).length < 3) await sleep(10);
  await backend.unlock();
  const names = (await calls()).filter(({ verb }) => verb === "lock").map(({ request }) => request.lock);
  expect(names.length).toBeGreaterThan(1);
  expect(new Set(names).size).toBe(1);
});

test("a reading that failed under the lock can be repeated", async () => {
  const store = open({ mood: "fails-once" });
  await store.lock({ timeout: 0 });
  await expect(store.ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
  });
  await expect(store.ledger(partName(ORIGIN, OWNER, "tenancy"))).resolves.toMatchObject({ exists: false });
  await store.unlock();
});

test("a failed unlock is told, after all locks were tried", async () => {
  const store = open({ mood: "fails-unlock" });
  await store.lock();
  await store.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await store.ledger(partName(ORIGIN, "acme-infra", "tenancy"));
  await expect(store.unlock()).rejects.toMatchObject({
    message: expect.stringContaining("asked to unlock, ended with status 1") as string,
  });
  expect((await calls()).filter(({ verb }) => verb === "unlock")).toHaveLength(2);
});

test("two stacks can apply at the same time", async () => {
  const [one, other] = [open(), open()];
  await one.lock();
  await one.ledger(partName(ORIGIN, OWNER, "tenancy"));
  await other.lock({ timeout: 0 });
  await other.ledger(partName(ORIGIN, "acme-infra", "tenancy"));
  await Promise.all([one.unlock(), other.unlock()]);
});

test("a run whose lock was taken from it writes nothing", async () => {
  const store = open();
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  const [lock = ""] = (await readdir(folder())).filter((file) => file.endsWith(".lock"));
  await rm(join(folder(), lock));
  await expect(store.save()).rejects.toMatchObject({ code: "TENANCY_STORE_LOCKED" });
  await store.unlock();
  expect((await readdir(folder())).filter((file) => file.endsWith(".entry"))).toEqual([]);
});

test("erasing the last part erases the helper's entry", async () => {
  await keep(open());
  const store = open();
  await store.lock();
  await store.erase(partName(ORIGIN, OWNER, "tenancy"));
  await store.save();
  await store.unlock();
  expect((await open().ledger(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
  expect((await calls()).map(({ verb }) => verb)).toContain("erase");
});

test("a helper that fails is reported with what it said", async () => {
  const error = await failure("fails");
  expect(error.message).toContain("folder-helper.mjs, asked to get, ended with status 3");
  expect(error.message).not.toContain(folder());
  expect(error.detail).toContain("no route to the vault");
});

test("what a helper says is shown without the secrets that it was given or gave", async () => {
  expect((await failure("leaks-on-get")).detail).toBe("It said: cannot parse ***");
  const store = open({ mood: "leaks-on-store" });
  await store.lock();
  (await store.ledger(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await expect(store.save()).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
    detail: expect.not.stringContaining(CANARY) as string,
  });
  await store.unlock();
});

test.each([
  ["babbles", "answered with something other than a JSON object"],
  ["answers-list", "answered with something other than a JSON object"],
  ["answers-number", "answered with a value that is neither a string nor null"],
  ["breaks-off", "was ended by SIGTERM"],
])("a helper that %s is refused", async (mood, fault) => {
  expect((await failure(mood)).message).toContain(fault);
});

test("a helper that takes too long is ended", async () => {
  expect((await failure("sleeps", 500)).message).toContain("gave no answer within 0.5 seconds");
});

test("a helper that does not listen is no failure", async () => {
  expect((await open({ mood: "reads-nothing" }).ledger(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(
    false,
  );
});

test("a helper that is not there is reported by its name alone", async () => {
  const store = openStore({ helper: { command: `${folder()}/no-such-helper --token ${CANARY}` } });
  await expect(store.ledger(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
    message: "the credential helper no-such-helper, asked to get, could not be run (ENOENT)",
  });
  expect(store.description).toBe("kept by no-such-helper");
});

test("a helper is not given the credentials of the run", async () => {
  const script =
    "process.stdout.write(JSON.stringify({value: null})); process.exitCode = process.env.VAULT_TOKEN && !/TENANCY|TF_VAR/.test(Object.keys(process.env)) ? 0 : 4";
  const command = `'${process.execPath}' -e '${script}' --`;
  const environment = {
    VAULT_TOKEN: "its own",
    TENANCY_USERNAME: "system",
    TENANCY_PASSWORD: CANARY,
    TENANCY_TOKEN: CANARY,
    TENANCY_OTP: CANARY,
    TENANCY_TOTP_SECRET: CANARY,
    TENANCY_STORE_KEY: CANARY,
    TF_VAR_password: CANARY,
  };
  await expect(
    openStore({ helper: { command, environment } }).ledger(partName(ORIGIN, OWNER, "tenancy")),
  ).resolves.toBeDefined();
});
