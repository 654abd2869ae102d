/**
 * A credential helper for tests: keeps entries and locks as files in a folder, notes each call, and misbehaves as told:
 * `folder-helper.mjs FOLDER [MOOD] VERB`.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, entryName, lockOf, otherHolder } from "../../examples/credential-helpers/protocol.mjs";

const [folder, mood] = process.argv.slice(2);
const verb = process.argv.at(-1);
const at = (request, kind) => join(folder, `${entryName(request)}.${kind}`);
const load = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
const lockIn = (request) => JSON.parse(load(at(request, "lock")) ?? "{}");

/** Notes the call, then does it, unless the lock it needs is somebody else's. */
const noted = (name, task, needsLock) => (request) => {
  appendFileSync(
    join(folder, "calls.log"),
    `${JSON.stringify({ verb: name, argv: process.argv.slice(2), request })}\n`,
  );
  if (mood === `fails-${name}`) throw new Error("out of order");
  if (mood === "fails-once" && name === "get" && !existsSync(join(folder, "failed"))) {
    writeFileSync(join(folder, "failed"), "");
    throw new Error("out of order");
  }
  const lock = lockIn(request);
  if (needsLock && lock.id !== request.lock) return { held_by: lock.holder ?? {} };
  return task(request);
};

const moods = {
  fails: () => {
    throw new Error(`no route to the vault; value was ${readFileSync(0, "utf8")}`);
  },
  "breaks-off": () => process.kill(process.pid, "SIGTERM"),
  sleeps: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
  babbles: () => process.stdout.write("hello"),
  "answers-list": () => process.stdout.write("[]"),
  "answers-number": () => process.stdout.write('{"value":5}'),
  "reads-nothing": () => process.stdout.write('{"value":null}'),
  "leaks-on-get": () => {
    process.stdout.write('{"value":"{\\"access_token\\":\\"1/canary+canary/canary\\"}"}');
    throw new Error("cannot parse 1/canary+canary/canary");
  },
  "leaks-on-state": (verb) => {
    if (verb === "store")
      throw new Error(`disk full while writing ${JSON.parse(readFileSync(0, "utf8")).value}`);
  },
};

if (mood in moods) {
  try {
    await moods[mood](verb);
  } catch (error) {
    process.stderr.write(error.message);
    process.exitCode = 3;
  }
} else {
  await answer({
    get: noted("get", (request) => ({ value: load(at(request, "entry")) ?? null })),
    store: noted("store", (request) => writeFileSync(at(request, "entry"), request.value), true),
    erase: noted("erase", (request) => rmSync(at(request, "entry"), { force: true }), true),
    lock: noted("lock", (request) => {
      const holder = otherHolder(lockIn(request), request.lock);
      if (holder !== undefined) return { held_by: holder };
      writeFileSync(at(request, "lock"), JSON.stringify(lockOf(request)));
      return {};
    }),
    unlock: noted("unlock", (request) => {
      if (lockIn(request).id === request.lock) rmSync(at(request, "lock"));
    }),
  });
}
