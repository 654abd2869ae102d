/** What a credential helper is asked, and what it may answer: a script of the shell, which starts fast; covers src/state/helper.ts. */
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { partName, openState } from "../../../src/state";
import { HelperBackend, HelperProgram } from "../../../src/state/helper";
import { credentialHelperFailed, stateLocked, stateLockLost, type LockHolder } from "../../../src/problems";
import { csiToken, ORIGIN, OWNER } from "../../state/samples";
import { temporaryFolder } from "../../support/temp-folder";
import { thrown } from "../../support/thrown";
import { until } from "../../support/until";

const folder = temporaryFolder();
const part = { origin: ORIGIN, stack: OWNER, provider: "tenancy" };
const other = { origin: ORIGIN, stack: "acme-infra", provider: "tenancy" };

/** A helper whose `$0` is the folder and whose `$1` is the verb. */
const program = (script: string, options: { timeout?: number; environment?: Record<string, string> } = {}) =>
  new HelperProgram({ command: `sh -c '${script}' '${folder()}'`, ...options });

/** Notes each request in a line, and says nothing. */
const NOTES = 'said="$(cat)"; printf "{\\"verb\\":\\"%s\\",\\"request\\":%s}\\n" "$1" "$said" >>"$0/calls";';

/** Gives the answers of the test one after the other, and then none. */
const ANSWERS = `${NOTES} for n in 1 2 3; do if test -e "$0/$n"; then mv "$0/$n" "$0/said"; exec cat "$0/said"; fi; done`;

const answers = (...texts: readonly string[]) =>
  Promise.all(texts.map((text, index) => writeFile(join(folder(), String(index + 1)), text)));

const calls = async () =>
  (await readFile(join(folder(), "calls"), "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { verb: string; request: Record<string, unknown> });

const failure = (fault: string, words?: string) =>
  expect.objectContaining({
    code: credentialHelperFailed.code,
    message: `the credential helper sh, asked to get, ${fault}`,
    ...(words !== undefined && { detail: `It said: ${words}` }),
  }) as Error;

test("a helper that says nothing does all that it is asked: it gets each request whole, and one lock for as long as it is held", async () => {
  const backend = new HelperBackend(program(NOTES));
  await backend.lock({ timeout: 0 });
  await backend.lockPart(part);
  await backend.lockPart(part);
  await expect(backend.read(part)).resolves.toBeUndefined();
  await backend.write(part, 'two lines\nand "quotes"');
  await backend.erase(part);
  await backend.unlock();
  await backend.unlock();
  const made = await calls();
  const lock = made[0]?.request["lock"];
  expect(lock).toMatch(/^[0-9a-f-]{36}$/);
  const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
  const common = { protocol: 1, ...part };
  expect(made).toEqual([
    {
      verb: "lock",
      request: { ...common, lock, lease_seconds: 90, holder: { pid: process.pid, host: hostname(), since } },
    },
    { verb: "get", request: common },
    { verb: "store", request: { ...common, lock, value: 'two lines\nand "quotes"' } },
    { verb: "erase", request: { ...common, lock } },
    { verb: "unlock", request: { ...common, lock } },
  ]);
});

test("each stack has an entry and a lock of its own", async () => {
  const state = openState({ helper: { command: `sh -c '${NOTES}' '${folder()}'` } });
  await state.lock();
  (await state.part(partName(ORIGIN, OWNER, "tenancy"))).tokens.put(csiToken);
  await state.part(partName(ORIGIN, other.stack, "tenancy"));
  await state.save();
  await state.unlock();
  const made = await calls();
  const stacks = (verb: string) =>
    made.flatMap(({ verb: asked, request }) => (asked === verb ? [request["stack"]] : []));
  for (const verb of ["lock", "get", "unlock"]) expect(stacks(verb).sort()).toEqual([other.stack, OWNER]);
  expect(stacks("store")).toEqual([OWNER]);
  expect(new Set(made.map(({ request }) => request["lock"])).size).toBe(3);
});

test.each([
  ['{"value":"kept"}', "kept"],
  ['{"value":""}', ""],
  ['{"value":null}', undefined],
  ["{}", undefined],
  ["", undefined],
  [" \n", undefined],
])("a helper that answers %j keeps %j", async (answer, text) => {
  await answers(answer);
  const kept = await new HelperBackend(program(ANSWERS)).read(part);
  expect(kept?.text).toBe(text);
  expect(() => kept?.demandPrivate()).not.toThrow();
});

test.each([
  ["hello", "answered with something other than a JSON object"],
  ["[]", "answered with something other than a JSON object"],
  ["null", "answered with something other than a JSON object"],
  ['{"value":5}', "answered with a value that is neither a string nor null"],
])("the answer %j is refused", async (answer, fault) => {
  await answers(answer);
  await expect(new HelperBackend(program(ANSWERS)).read(part)).rejects.toThrow(failure(fault));
});

test.each<[string, LockHolder]>([
  ['{"pid":7,"host":"ci","since":"2026-01-02","more":1}', { pid: 7, host: "ci", since: "2026-01-02" }],
  ['{"pid":"7","host":0,"since":null}', {}],
  ['"ci"', {}],
  ["true", {}],
])(
  "a lock that %s holds is waited for, and asked for by the same name until it is free",
  async (text, holder) => {
    await answers(...Array<string>(3).fill(`{"held_by":${text}}`));
    const backend = new HelperBackend(program(ANSWERS), { lease: 90, poll: 1 });
    const told: LockHolder[] = [];
    // As long as this process has lasted.
    await backend.lock({ timeout: performance.now(), onWait: (who) => told.push(who) });
    await backend.lockPart(part);
    await backend.unlock();
    expect(told).toEqual([holder]);
    const made = await calls();
    expect(made.map(({ verb }) => verb)).toEqual([...Array<string>(4).fill("lock"), "unlock"]);
    expect(new Set(made.map(({ request }) => request["lock"])).size).toBe(1);
  },
);

test("a run that may not wait ends at once with the holder's name, holds nothing, and can ask again", async () => {
  await answers('{"held_by":{"pid":7}}');
  const backend = new HelperBackend(program(ANSWERS));
  const told: LockHolder[] = [];
  await backend.lock({ timeout: 0, onWait: (who) => told.push(who) });
  await expect(backend.lockPart(part)).rejects.toThrow(
    expect.objectContaining({
      code: stateLocked.code,
      message: "another run holds the lock of the state kept by sh: process 7",
    }) as Error,
  );
  await expect(backend.write(part, "text")).rejects.toThrow(thrown(stateLockLost));
  await backend.lockPart(part);
  await backend.unlock();
  expect(told).toEqual([]);
  expect((await calls()).map(({ verb }) => verb)).toEqual(["lock", "lock", "unlock"]);
});

test("nothing is kept or erased under a lock that another run has taken, or that was never asked for", async () => {
  await answers('{"held_by":false}', '{"held_by":{}}', '{"held_by":{"pid":7}}');
  const backend = new HelperBackend(program(ANSWERS));
  await backend.lockPart(part);
  await expect(backend.write(part, "text")).rejects.toThrow(thrown(stateLockLost));
  await expect(backend.erase(part)).rejects.toThrow(thrown(stateLockLost));
  await expect(backend.write(other, "text")).rejects.toThrow(thrown(stateLockLost));
  await backend.unlock();
  await expect(backend.erase(part)).rejects.toThrow(thrown(stateLockLost));
  expect((await calls()).map(({ verb }) => verb)).toEqual(["lock", "store", "erase", "unlock"]);
});

test("a lock is asked for again three times in each lease, by the same name", async () => {
  const timers = jest.spyOn(globalThis, "setInterval");
  const backend = new HelperBackend(program(NOTES), { lease: 90, poll: 1 });
  await backend.lockPart(part);
  const [[renew, interval] = []] = timers.mock.calls;
  timers.mockRestore();
  expect(interval).toBe(30_000);
  // One renewal at a time, and none is under way once the lock was given back.
  renew?.();
  renew?.();
  await backend.unlock();
  const made = await calls();
  expect(made.map(({ verb }) => verb)).toEqual(["lock", "lock", "unlock"]);
  expect(new Set(made.map(({ request }) => request["lock"])).size).toBe(1);
});

test("a renewal that fails is made up for by the next one", async () => {
  const script = `${NOTES} if test "$1" = lock && test -e "$0/held"; then mv "$0/held" "$0/failed"; exit 1; fi; : >"$0/held"`;
  const backend = new HelperBackend(program(script), { lease: 0.03, poll: 1 });
  await backend.lockPart(part);
  await until(() => readFileSync(join(folder(), "calls"), "utf8").split('"verb"').length > 4);
  await expect(backend.unlock()).resolves.toBeUndefined();
});

test("each lock is given back, and the first that cannot be is told", async () => {
  const backend = new HelperBackend(program(`${NOTES} if test "$1" = unlock; then exit 1; fi`));
  await backend.lockPart(part);
  await backend.lockPart(other);
  await expect(backend.unlock()).rejects.toThrow(
    "the credential helper sh, asked to unlock, ended with status 1",
  );
  expect(
    (await calls())
      .filter(({ verb }) => verb === "unlock")
      .map(({ request }) => request["stack"])
      .sort(),
  ).toEqual([other.stack, part.stack]);
});

test.each([
  ["ends with a status", "echo no route >&2; exit 3", "ended with status 3", "no route"],
  ["is ended from outside", "kill -TERM $$", "was ended by SIGTERM", undefined],
  ["takes too long", "exec sleep 600", "gave no answer within 0.25 seconds", undefined],
])("a helper that %s is reported", async (_way, script, fault, words) => {
  const backend = new HelperBackend(program(script, script.includes("sleep") ? { timeout: 250 } : {}));
  await expect(backend.read(part)).rejects.toThrow(failure(fault, words));
});

test("a helper whose answer has no end is ended, and none of the answer is repeated", async () => {
  const endless = new HelperBackend(program("exec yes secret"));
  const error = await endless.read(part).catch((failed: unknown) => failed);
  expect(error).toEqual(failure("answered with more than 256 MiB"));
  expect(error).toHaveProperty("detail", undefined);
});

test("a helper that is not there is reported, and one that does not listen is no failure", async () => {
  const absent = new HelperProgram({ command: `${folder()}/absent --token secret` });
  await expect(absent.call("get", {})).rejects.toThrow(
    "the credential helper absent, asked to get, could not be run (ENOENT)",
  );
  const value = "x".repeat(2 ** 20);
  await expect(program("exec <&-").call("store", { value })).resolves.toEqual({});
});

test("what a helper says is shown without any longer text that it was given or gave", async () => {
  const value = JSON.stringify({ token: "8letters", short: "7letter" });
  await expect(program("cat >&2; exit 1").call("store", { value })).rejects.toMatchObject({
    detail: 'It said: {"protocol":1,"value":"{\\"token\\":\\"***\\",\\"short\\":\\"7letter\\"}"}',
  });
  await answers(value);
  await expect(program('cat "$0/1"; cat "$0/1" >&2; exit 1').call("get", {})).rejects.toMatchObject({
    detail: 'It said: {"token":"***","short":"7letter"}',
  });
});

test.each([
  ["/opt/vault-helper", "vault-helper"],
  ["/opt/vault-helper --token secret", "vault-helper"],
  ["/usr/bin/node /opt/helper.mjs --token secret", "node helper.mjs"],
  ["helper mount- secret", "helper mount-"],
])("%s is called by its program and script alone", (command, name) => {
  expect(new HelperBackend(new HelperProgram({ command })).description).toBe(`kept by ${name}`);
});

test("a helper gets the environment that it is given, less the credentials of the run", async () => {
  const environment = { VAULT_TOKEN: "its own", TENANCY_PASSWORD: "secret" };
  const script = 'test "$VAULT_TOKEN" = "its own" && test -z "$TENANCY_PASSWORD$HOME"';
  await expect(program(script, { environment }).call("get", {})).resolves.toEqual({});
});
