/** Locks by a file, and the file that a path leads to: covers src/state/file-lock.ts. */
import { execFileSync } from "node:child_process";
import files, {
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileBehind, FileLock, makeFolder, thisProcess } from "../../src/state/file-lock";
import { type LockHolder, stateLocked } from "../../src/problems";
import { temporaryFolder } from "../support/temp-folder";
import { thrown } from "../support/thrown";

const folder = temporaryFolder();
const file = () => join(folder(), "state.lock");

const FAST = { heartbeat: 20, silence: 200 };
const since = "2026-01-02T03:04:05.678Z";
const held: FileLock[] = [];

afterEach(async () => {
  for (const lock of held.splice(0)) await lock.release();
});

async function take(
  wait: Parameters<typeof FileLock.take>[2] = { timeout: 0 },
  pace = FAST,
): Promise<FileLock> {
  const lock = await FileLock.take(file(), "the state", wait, pace);
  held.push(lock);
  return lock;
}

async function leave(note: unknown, age = 0): Promise<void> {
  await writeFile(file(), typeof note === "string" ? note : JSON.stringify(note));
  const then = new Date(Date.now() - age);
  await utimes(file(), then, then);
}

const locked = () =>
  take().then(
    () => undefined,
    (error: unknown) => {
      if (stateLocked.is(error)) return error;
      throw error;
    },
  );

test("a lock says who holds it, privately, and is gone when released", async () => {
  const lock = await take();
  expect(JSON.parse(await readFile(file(), "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  await expect(lock.isHeld()).resolves.toBe(true);
  await lock.release();
  await expect(lock.isHeld()).resolves.toBe(false);
  expect(await readdir(folder())).toEqual([]);
});

test("a held lock is refused after the wait, naming the holder and the file", async () => {
  await take();
  const error = await locked();
  expect(error?.code).toBe("TENANCY_STATE_LOCKED");
  expect(error?.message).toContain(`process ${process.pid} on ${hostname()} since 20`);
  expect(error?.advice).toContain(`remove '${file()}'`);
  expect(error?.facts.holder).toMatchObject({ pid: process.pid, host: hostname() });
});

test("whoever waits is told once for whom, and gets the lock when it is free", async () => {
  const first = await take();
  const told: LockHolder[] = [];
  const second = take({ timeout: 20_000, onWait: (holder) => told.push(holder) });
  while (told.length === 0) await sleep(5);
  await sleep(250);
  await first.release();
  await expect((await second).isHeld()).resolves.toBe(true);
  expect(told).toEqual([expect.objectContaining({ pid: process.pid })]);
});

test("nobody is told of a lock that is free", async () => {
  const onWait = jest.fn();
  await take({ onWait });
  expect(onWait).not.toHaveBeenCalled();
});

test("the lock of a process that has ended is taken over at once", async () => {
  await leave({ ...thisProcess(), pid: 2 ** 22 + 1, started: "1", since, id: "1" });
  await expect((await take()).isHeld()).resolves.toBe(true);
  expect(await readdir(folder())).toEqual(["state.lock"]);
});

test("the lock of an earlier process with the number of a live one is taken over", async () => {
  await leave({ ...thisProcess(), started: "1", since, id: "1" });
  await take();
});

test("the lock of a live process of this machine is kept, however silent it is", async () => {
  await leave({ ...thisProcess(), since, id: "1" }, 10 * 86_400_000);
  const waiting = take({ timeout: 10 * FAST.heartbeat });
  await expect(waiting).rejects.toThrow(thrown(stateLocked));
});

test("the lock of another machine is kept while it is fresh", async () => {
  await leave({
    ...thisProcess(),
    pid: 2 ** 22 + 1,
    machine: "elsewhere",
    host: "elsewhere",
    since,
    id: "1",
  });
  const waiting = take({ timeout: 5 * FAST.heartbeat }, { ...FAST, silence: 60_000 });
  await expect(waiting).rejects.toThrow("process 4194305 on elsewhere since 2026-01-02T03:04:05.678Z");
});

test("the lock of another machine is taken over after a long silence, part of it observed", async () => {
  const note = { ...thisProcess(), machine: "elsewhere", since, id: "1" };
  await leave(note, 60_000);
  expect((await locked())?.facts.holder.pid).toBe(process.pid);
  await take({ timeout: 20_000 });
});

test("the lock of another machine is not taken over before several signs of life have failed to come", async () => {
  await leave({ ...thisProcess(), machine: "elsewhere", since, id: "1" }, 60_000);
  await expect(take({ timeout: 300 }, { heartbeat: 60_000, silence: 200 })).rejects.toThrow(
    thrown(stateLocked),
  );
});

test("the lock of another machine whose clock is wrong is kept while it shows signs of life", async () => {
  await leave({ ...thisProcess(), machine: "elsewhere", since, id: "1" }, 60_000);
  let age = 60_000;
  const signs = setInterval(() => void utimes(file(), new Date(0), new Date(Date.now() - (age += 1000))), 10);
  try {
    await expect(take({ timeout: 500 }, { heartbeat: 50, silence: 200 })).rejects.toThrow(
      thrown(stateLocked),
    );
  } finally {
    clearInterval(signs);
  }
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"pid":0}',
  '{"pid":-1,"host":1,"since":1}',
  '{"pid":"1"}',
  '{"pid":1.5}',
])("a lock that says %j is somebody's until it has been silent for long", async (note) => {
  await leave(note);
  expect((await locked())?.message).toContain("it did not say who it is");
  await leave(note, 60_000);
  await take({ timeout: 20_000 });
});

test("a holder may have any number, the first one included", async () => {
  await leave({ pid: 1, machine: "elsewhere", host: "container" });
  expect((await locked())?.message).toContain("process 1 on container");
});

test("a note that lacks the start of its process proves nothing", async () => {
  const { started: _, ...note } = thisProcess();
  await leave({ ...note, pid: 2 ** 22 + 1, since, id: "1" });
  expect(await locked()).toBeDefined();
});

test("a lock that says nothing is taken over once it has been watched for a while: its run was killed at once", async () => {
  await leave("");
  expect(await locked()).toEqual(thrown(stateLocked));
  await take({ timeout: 20_000 }, { ...FAST, silence: 600_000 });
});

test("what a holder says is fit for a terminal", async () => {
  await leave({ ...thisProcess(), machine: "elsewhere", host: "\u001b[2Jevil\nhost", since, id: "1" });
  expect((await locked())?.message).toContain("on evil host since");
});

test("a holder shows signs of life", async () => {
  await take();
  const then = new Date(Date.now() - 60_000);
  await utimes(file(), then, then);
  while ((await stat(file())).mtimeMs < Date.now() - 30_000) await sleep(5);
});

test("a lock that another run took over is neither touched nor removed", async () => {
  const lock = await take();
  const note = { ...thisProcess(), since, id: "another" };
  await leave(note, 60_000);
  const { mtimeMs } = await stat(file());
  await sleep(5 * FAST.heartbeat);
  expect((await stat(file())).mtimeMs).toBe(mtimeMs);
  await expect(lock.isHeld()).resolves.toBe(false);
  await lock.release();
  expect(JSON.parse(await readFile(file(), "utf8"))).toEqual(note);
});

test("many runs that find a dead run's lock get it one at a time", async () => {
  await leave({ ...thisProcess(), pid: 2 ** 22 + 1, started: "1", since, id: "1" });
  let holders = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const lock = await FileLock.take(file(), "the state", {}, FAST);
      holders += 1;
      expect(holders).toBe(1);
      await sleep(1);
      holders -= 1;
      await lock.release();
    }),
  );
  expect(await readdir(folder())).toEqual([]);
});

test("a dead run's lock that another run has taken over meanwhile is that run's, and stays", async () => {
  await leave({ ...thisProcess(), pid: 2 ** 22 + 1, started: "1", since, id: "1" });
  const another = JSON.stringify({ ...thisProcess(), since, id: "another" });
  const { writeFile: write } = files;
  const writing = jest.spyOn(files, "writeFile").mockImplementation(async (...args) => {
    if (args[0] === `${file()}.takeover`) await write(file(), another);
    return write(...args);
  });
  const refusal = await locked();
  writing.mockRestore();
  expect(refusal).toBeDefined();
  expect(await readFile(file(), "utf8")).toBe(another);
  expect(await readdir(folder())).toEqual(["state.lock"]);
});

test("a takeover that a killed run left behind holds nobody up for long", async () => {
  await leave({ ...thisProcess(), pid: 2 ** 22 + 1, started: "1", since, id: "1" });
  const takeover = `${file()}.takeover`;
  await writeFile(takeover, "");
  expect(await locked()).toBeDefined();
  const then = new Date(Date.now() - 60_000);
  await utimes(takeover, then, then);
  await take({ timeout: 20_000 });
  expect(await readdir(folder())).toEqual(["state.lock"]);
});

test("something that cannot be a lock is an error, not a wait", async () => {
  await mkdir(file());
  await expect(take({ timeout: 20_000 })).rejects.toMatchObject({ code: "TENANCY_STATE_UNUSABLE" });
});

test("a lock that cannot be made is an error, not a wait", async () => {
  const nowhere = join(folder(), "nowhere", "state.lock");
  await expect(FileLock.take(nowhere, "the state", {})).rejects.toMatchObject({ code: "ENOENT" });
});

test.each([0, 5_000])(
  "a link that leads nowhere in the lock's place is told at once, whatever the wait: %d ms",
  async (timeout) => {
    await symlink(join(folder(), "nowhere"), file());
    const began = performance.now();
    await expect(take({ timeout })).rejects.toMatchObject({
      code: "TENANCY_STATE_UNUSABLE",
      message: `the state the state cannot be locked: ${file()} is a symbolic link`,
    });
    expect(performance.now() - began).toBeLessThan(2_000);
  },
);

test("a lock that is released while somebody looks who holds it is free", async () => {
  await leave({ ...thisProcess(), since, id: "another" });
  const { readFile: read } = files;
  const reading = jest.spyOn(files, "readFile").mockImplementationOnce(async (...args) => {
    await rm(file());
    return read(...args);
  });
  const lock = await take();
  expect(reading).toHaveBeenCalled();
  reading.mockRestore();
  await expect(lock.isHeld()).resolves.toBe(true);
});

test("the time to wait begins with the wait, however long the program has run", async () => {
  const first = await take();
  const second = take({ timeout: 2 * performance.now() });
  await sleep(50);
  await first.release();
  await expect((await second).isHeld()).resolves.toBe(true);
});

describe("the file that a path leads to", () => {
  const at = async (...names: readonly string[]) => join(await realpath(folder()), ...names);

  test("is the same through a link to it, or to its folder, be it there or not", async () => {
    await mkdir(join(folder(), "kept"));
    await symlink(join(folder(), "kept"), join(folder(), "linked"));
    const [direct, linked] = ["kept", "linked"].map((name) => join(folder(), name, "state.json"));
    const expected = await at("kept", "state.json");
    for (const path of [direct, linked]) expect(await fileBehind(path ?? "")).toBe(expected);
    await writeFile(expected, "");
    const link = join(folder(), "link.json");
    await symlink(expected, link);
    for (const path of [direct, linked, link]) expect(await fileBehind(path ?? "")).toBe(expected);
  });

  test("may stand in a folder that is still to be made, privately", async () => {
    const path = join(folder(), "new", "deep", "state.json");
    expect(await fileBehind(path)).toBe(path);
    await makeFolder(path);
    await makeFolder(path);
    expect((await stat(join(folder(), "new", "deep"))).mode & 0o777).toBe(0o700);
  });

  test("is refused where a link leads nowhere, or a file stands where a folder should", async () => {
    const link = join(folder(), "link.json");
    await symlink(join(folder(), "nowhere"), link);
    await expect(fileBehind(link)).rejects.toMatchObject({
      code: "TENANCY_STATE_UNUSABLE",
      message: expect.stringContaining("is a symbolic link that leads nowhere") as string,
    });
    await writeFile(file(), "");
    await expect(fileBehind(join(file(), "state.json"))).rejects.toMatchObject({
      code: "TENANCY_STATE_UNUSABLE",
      message: expect.stringContaining("cannot be reached (ENOTDIR)") as string,
    });
  });
});

test("what is no regular file is refused as a lock at once, and not waited for", async () => {
  execFileSync("mkfifo", [file()]);
  await expect(take({ timeout: 5_000 })).rejects.toThrow(/no regular file/);
});
