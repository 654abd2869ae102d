/**
 * Locks by a file: the process that creates the file holds the lock. Its content names the holder, and its modification time shows that the holder is alive.
 * By hand since `proper-lockfile` knows the age of a lock alone, by which it removes that of a suspended process and, with a wrong clock, that of a live one.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, mkdir, readFile, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cancelled, type LockHolder, stateLocked, stateUnusable, systemCode } from "../problems";
import { isObject, type ObjectValue, parseJson } from "../lib/values";
import { DEFAULT_WAIT, type LockWait } from "./backend";

/**
 * The file that a path leads to, which may be absent. Through a symbolic link it is the link's target: the link itself must stay, and two
 * links to one file must share one lock.
 * @throws stateUnusable for a link that leads nowhere
 */
export async function fileBehind(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error))
      throw stateUnusable.error(
        { state: path, fault: `cannot be reached (${systemCode(error)})` },
        { cause: error },
      );
  }
  if (await isLink(absolute))
    throw stateUnusable.error({ state: path, fault: "is a symbolic link that leads nowhere" });
  const folder = await realpath(dirname(absolute)).catch(() => dirname(absolute));
  return join(folder, basename(absolute));
}

/** Makes the folder of a file if it is missing, private from the start. */
export async function makeFolder(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
}

export function isMissing(error: unknown): boolean {
  return systemCode(error) === "ENOENT";
}

/** True if there is a symbolic link, wherever it leads. */
async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (status) => status.isSymbolicLink(),
    () => false,
  );
}

const POLL_INTERVAL = 100;

/** It takes a few milliseconds: a run that has not ended it after so long was killed in the middle of it. */
const LONGEST_TAKEOVER = 10_000;

export class FileLock {
  readonly #file: string;
  readonly #text: string;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(file: string, text: string, pace: LockPace) {
    this.#file = file;
    this.#text = text;
    this.#heartbeat = setInterval(() => void this.#touch(), pace.heartbeat).unref();
  }

  /**
   * @param state description of the state, for messages
   * @throws stateLocked if another run holds it for longer than the wait; cancelled
   */
  static async take(
    file: string,
    state: string,
    { timeout = DEFAULT_WAIT, onWait, signal }: LockWait,
    pace = LOCK_PACE,
  ): Promise<FileLock> {
    const text = JSON.stringify({ ...thisProcess(), since: new Date().toISOString(), id: randomUUID() });
    const begin = performance.now();
    let waiting = false;
    let watched: { readonly note: LockNote; readonly since: number } | undefined;
    while (!(await createFile(file, text))) {
      const note = await readNote(file);
      if (note === undefined) {
        // Either the lock was released just now, or the file can neither be made nor read.
        if (await isLink(file))
          throw stateUnusable.error({ state, fault: `cannot be locked: ${file} is a symbolic link` });
        continue;
      }
      if (watched?.note.text !== note.text || watched.note.touched !== note.touched)
        watched = { note, since: performance.now() };
      const watchTime = performance.now() - watched.since;
      const abandoned =
        isDeadHere(note) || isSilent(note, watchTime, pace) || isUnwritten(note, watchTime, pace);
      if (abandoned && (await removeAbandoned(file, note))) continue;
      if (performance.now() - begin >= timeout)
        throw stateLocked.error({ state, holder: holderOf(note), lockFile: file });
      if (signal?.aborted === true) throw cancelled.error("waiting for the state");
      if (!waiting) onWait?.(holderOf(note));
      waiting = true;
      await sleep(POLL_INTERVAL);
    }
    return new FileLock(file, text, pace);
  }

  /** True if this run still has the lock: it may have been removed by hand, or taken over while this process was suspended. */
  async isHeld(): Promise<boolean> {
    return (await readNote(this.#file))?.text === this.#text;
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    if (await this.isHeld()) await rm(this.#file, { force: true });
  }

  async #touch(): Promise<void> {
    const now = new Date();
    try {
      if (await this.isHeld()) await utimes(this.#file, now, now);
    } catch {
      // Each write asks first if the lock is still held, and reports it.
    }
  }
}

async function createFile(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes an abandoned lock. A second file allows only one run at a time to remove it. Without that file, a second run would remove the new
 * lock of the first.
 * @returns false while another run removes it
 */
async function removeAbandoned(file: string, abandoned: LockNote): Promise<boolean> {
  const takeover = `${file}.takeover`;
  if (!(await createFile(takeover, ""))) {
    const takeoverNote = await readNote(takeover);
    if (takeoverNote !== undefined && Date.now() - takeoverNote.touched > LONGEST_TAKEOVER)
      await rm(takeover, { force: true });
    return false;
  }
  try {
    if ((await readNote(file))?.text === abandoned.text) await rm(file, { force: true });
    return true;
  } finally {
    await rm(takeover, { force: true });
  }
}

// The holder that a lock file names, and whether the holder is still alive.

/** Milliseconds that distinguish a silent holder from a live one. */
interface LockPace {
  /** From one sign of life to the next. */
  readonly heartbeat: number;
  /** Silence after which a holder on another machine may be dead. */
  readonly silence: number;
}

const LOCK_PACE: LockPace = { heartbeat: 5_000, silence: 120_000 };

/** Missing signs of life after which a waiting run takes the lock. */
const SIGNS_MISSED = 3;

interface LockNote {
  readonly text: string;
  readonly facts: ObjectValue;
  /** Milliseconds since the epoch, by the clock of the machine that touched it. */
  readonly touched: number;
}

/** @returns undefined if there is no lock */
async function readNote(file: string): Promise<LockNote | undefined> {
  try {
    const status = await stat(file);
    // The reader of a fifo would wait for a writer.
    if (!status.isFile())
      throw stateUnusable.error({ state: file, fault: "is no regular file, so it cannot be a lock" });
    const text = await readFile(file, "utf8");
    return { text, facts: parseLock(text), touched: status.mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A note that is incomplete, or that another program wrote, is ignored. */
function parseLock(text: string): ObjectValue {
  try {
    const facts = parseJson(text);
    return isObject(facts) ? facts : {};
  } catch {
    return {};
  }
}

/** True if the holder is a process of this machine that has ended. */
function isDeadHere({ facts: { pid, machine, started } }: LockNote): boolean {
  return (
    isPid(pid) && typeof started === "string" && machine === thisProcess().machine && isDead({ pid, started })
  );
}

/**
 * True if a holder that cannot be examined gives no sign of life. Its clock may be wrong, so the age of its last sign is not enough: no
 * sign may have come while we watched, either. A live process of this machine may be silent for any time, since it may be suspended and continue.
 */
function isSilent(
  { facts: { machine }, touched: lastTouch }: LockNote,
  watched: number,
  { silence, heartbeat }: LockPace,
): boolean {
  return (
    machine !== thisProcess().machine &&
    Date.now() - lastTouch > silence &&
    watched > SIGNS_MISSED * heartbeat
  );
}

/**
 * True if the process that began the note was killed before it wrote anything: writing it takes a few milliseconds. One that was only suspended
 * finds out before its first write that the lock is no longer its own.
 * @param watched milliseconds for which the note has been seen to stay as it is
 */
function isUnwritten({ text }: LockNote, watched: number, { heartbeat }: LockPace): boolean {
  return text === "" && watched > heartbeat;
}

function holderOf({ facts: { pid, host, since } }: LockNote): LockHolder {
  return {
    ...(isPid(pid) && { pid }),
    ...(typeof host === "string" && { host }),
    ...(typeof since === "string" && { since }),
  };
}

function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

/** Identifies a process: its machine, its number, and its start, which distinguishes it from a later process of the same number. */
interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /**
   * Within one machine process numbers can be compared. On Linux it changes with every boot, and from container to
   * container: the numbers there are worlds apart although host names may be alike.
   */
  readonly machine: string;
  /** The start time of the process, in the system's own unit; empty if the system doesn't know it. */
  readonly started: string;
}

export function thisProcess(): ProcessIdentity {
  const boot = readOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const numbers = readOrEmpty(() => readlinkSync("/proc/self/ns/pid"));
  return {
    pid: process.pid,
    host: hostname(),
    machine: [hostname(), boot, numbers].join(" "),
    started: startOf(process.pid),
  };
}

/** True if a process of this machine has ended for certain. */
export function isDead({ pid, started }: Pick<ProcessIdentity, "pid" | "started">): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM says that it lives, and is another user's.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  return startOf(pid) !== started;
}

/** Empty for a process that is not there, or has ended and only waits for its parent to notice. */
function startOf(pid: number): string {
  const status = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The second field is the program's name in parentheses, which may hold anything. After it: the state, and 19 on the start.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "" : (fields[19] ?? "");
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
