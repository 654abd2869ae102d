/** Credential helpers, which are programs of their own: covers src/state/helper.ts. */
import { readdir, readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { partName, openState, type TenancyState } from "../../../src/state";
import { HelperBackend, HelperProgram } from "../../../src/state/helper";
import { TenancyError, type LockHolder } from "../../../src/problems";
import { CANARY, csiToken, ORIGIN, OWNER } from "../../state/samples";
import { temporaryFolder } from "../../support/temp-folder";
import { stateKey } from "../../support/state-key";

const folder = temporaryFolder();
const helper = join(__dirname, "../../support/folder-helper.mjs");

function open(options: { mood?: string; key?: string; timeout?: number } = {}): TenancyState {
  const command = `'${process.execPath}' "${helper}" '${folder()}' ${options.mood ?? ""}`;
  return openState({
    helper: { command, ...(options.timeout !== undefined && { timeout: options.timeout }) },
    ...(options.key !== undefined && { key: options.key }),
  });
}

async function keep(state: TenancyState): Promise<void> {
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.save();
  await state.unlock();
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
  const state = open({ mood, ...(timeout !== undefined && { timeout }) });
  const error = await state.part(partName(ORIGIN, OWNER, "tenancy")).catch((reason: unknown) => reason);
  if (!(error instanceof TenancyError)) throw new Error("the helper did not fail", { cause: error });
  expect(error.code).toBe("TENANCY_CREDENTIAL_HELPER");
  expect(`${error.message} ${error.detail}`).not.toContain(CANARY);
  return error;
}

test("what a helper keeps, the next run finds", async () => {
  await keep(open());
  const part = await open().part(partName(ORIGIN, OWNER, "tenancy"));
  expect(part.exists).toBe(true);
  expect(part.tokens.list()).toEqual([csiToken]);
});

test("a helper is asked for parts that have a name alone, and has no list of them", async () => {
  await keep(open());
  await expect(open().parts(ORIGIN)).resolves.toEqual([]);
  expect((await calls()).map(({ request }) => request["origin"])).not.toContain("");
});

test("an entry that the helper doesn't have is absent, whatever else it has", async () => {
  expect((await open().part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
  await keep(open());
  const other = await open().part(partName("https://other.example", OWNER, "tenancy"));
  expect(other.exists).toBe(false);
  expect(other.tokens.list()).toEqual([]);
});

test("a plan only gets; an apply locks, gets, states and unlocks", async () => {
  await open().part(partName(ORIGIN, OWNER, "tenancy"));
  await keep(open());
  const made = await calls();
  expect(made.map(({ verb }) => verb)).toEqual(["get", "lock", "get", "store", "unlock"]);
  for (const { request } of made)
    expect(request).toMatchObject({ protocol: 1, origin: ORIGIN, stack: OWNER });
  const [, lock, , state, unlock] = made.map(({ request }) => request);
  expect(lock).toMatchObject({ lease_seconds: 90, holder: { pid: process.pid } });
  expect([state?.lock, unlock?.lock]).toEqual([lock?.lock, lock?.lock]);
});

test("no secret is among the arguments", async () => {
  await keep(open());
  for (const { argv } of await calls()) expect(argv.join(" ")).not.toContain(CANARY);
});

test("with a key a helper sees nothing of what it keeps", async () => {
  await keep(open({ key: stateKey("open sesame, please") }));
  const files = await Promise.all(
    (await readdir(folder())).map((file) => readFile(join(folder(), file), "utf8")),
  );
  expect(files.join()).not.toContain(CANARY);
  expect(
    (
      await open({ key: stateKey("open sesame, please") }).part(partName(ORIGIN, OWNER, "tenancy"))
    ).tokens.list(),
  ).toEqual([csiToken]);
  await expect(open().part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_STATE_KEY_MISSING",
  });
});

test("with a key a plain document that somebody puts where the helper keeps its own is refused", async () => {
  await keep(open());
  const planted = open({ key: stateKey("open sesame, please") }).part(partName(ORIGIN, OWNER, "tenancy"));
  await expect(planted).rejects.toMatchObject({ code: "TENANCY_STATE_PLAIN" });
});

test("a lock that another run holds is waited for, and refused in the end", async () => {
  const [holder, other] = [open(), open()];
  await holder.lock();
  await holder.part(partName(ORIGIN, OWNER, "tenancy"));
  const told: LockHolder[] = [];
  await other.lock({ timeout: 3_000, onWait: (who) => told.push(who) });
  await expect(other.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_STATE_LOCKED",
    message: expect.stringContaining(`process ${process.pid} on `) as string,
  });
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
  expect(told).toEqual([{ pid: process.pid, host: hostname(), since }]);
  await holder.unlock();
  await expect(other.part(partName(ORIGIN, OWNER, "tenancy"))).resolves.toBeDefined();
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
  const state = open({ mood: "fails-once" });
  await state.lock({ timeout: 0 });
  await expect(state.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
  });
  await expect(state.part(partName(ORIGIN, OWNER, "tenancy"))).resolves.toMatchObject({ exists: false });
  await state.unlock();
});

test("a failed unlock is told, after all locks were tried", async () => {
  const state = open({ mood: "fails-unlock" });
  await state.lock();
  await state.part(partName(ORIGIN, OWNER, "tenancy"));
  await state.part(partName(ORIGIN, "acme-infra", "tenancy"));
  await expect(state.unlock()).rejects.toMatchObject({
    message: expect.stringContaining("asked to unlock, ended with status 1") as string,
  });
  expect((await calls()).filter(({ verb }) => verb === "unlock")).toHaveLength(2);
});

test("two stacks can apply at the same time", async () => {
  const [one, other] = [open(), open()];
  await one.lock();
  await one.part(partName(ORIGIN, OWNER, "tenancy"));
  await other.lock({ timeout: 0 });
  await other.part(partName(ORIGIN, "acme-infra", "tenancy"));
  await Promise.all([one.unlock(), other.unlock()]);
});

test("a run whose lock was taken from it writes nothing", async () => {
  const state = open();
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  const [lock = ""] = (await readdir(folder())).filter((file) => file.endsWith(".lock"));
  await rm(join(folder(), lock));
  await expect(state.save()).rejects.toMatchObject({ code: "TENANCY_STATE_LOCKED" });
  await state.unlock();
  expect((await readdir(folder())).filter((file) => file.endsWith(".entry"))).toEqual([]);
});

test("erasing the last part erases the helper's entry", async () => {
  await keep(open());
  const state = open();
  await state.lock();
  await state.erase(partName(ORIGIN, OWNER, "tenancy"));
  await state.save();
  await state.unlock();
  expect((await open().part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
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
  const state = open({ mood: "leaks-on-state" });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await expect(state.save()).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
    detail: expect.not.stringContaining(CANARY) as string,
  });
  await state.unlock();
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
  expect((await open({ mood: "reads-nothing" }).part(partName(ORIGIN, OWNER, "tenancy"))).exists).toBe(false);
});

test("a helper that is not there is reported by its name alone", async () => {
  const state = openState({ helper: { command: `${folder()}/no-such-helper --token ${CANARY}` } });
  await expect(state.part(partName(ORIGIN, OWNER, "tenancy"))).rejects.toMatchObject({
    code: "TENANCY_CREDENTIAL_HELPER",
    message: "the credential helper no-such-helper, asked to get, could not be run (ENOENT)",
  });
  expect(state.description).toBe("kept by no-such-helper");
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
    TENANCY_STATE_KEY: CANARY,
    TF_VAR_password: CANARY,
  };
  await expect(
    openState({ helper: { command, environment } }).part(partName(ORIGIN, OWNER, "tenancy")),
  ).resolves.toBeDefined();
});
