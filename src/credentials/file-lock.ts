/** A lock that is a file: whoever creates it holds it, what it says tells who that is, its time of change that they live. */
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreLocked, type LockHolder } from "../errors";
import { isObject, parseJson, type ObjectValue } from "../values";
import type { LockWait } from "./backend";
import { codeOf, isMissing } from "./file-place";
import { isDead, thisProcess } from "./process-identity";

const DEFAULT_TIMEOUT = 20_000;
const POLL_INTERVAL = 100;

/** Milliseconds from one sign of life to the next. */
const HEARTBEAT = 5_000;

/** Milliseconds without a sign of life after which a holder that cannot be looked at is taken for dead. */
const SILENCE = 120_000;

/** What a lock file says, and when it was touched last. */
interface Note {
  readonly text: string;
  readonly facts: ObjectValue;
  readonly touched: number;
}

export class FileLock {
  readonly #file: string;
  readonly #text: string;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#heartbeat = setInterval(() => void this.#touch(), HEARTBEAT).unref();
  }

  /**
   * @param store description of the store, for messages
   * @throws StoreLocked where another run holds it for longer than the wait.
   */
  static async take(
    file: string,
    store: string,
    { timeout = DEFAULT_TIMEOUT, onWait }: LockWait,
  ): Promise<FileLock> {
    const text = JSON.stringify({ ...thisProcess(), since: new Date().toISOString(), id: randomUUID() });
    const deadline = performance.now() + timeout;
    for (let waiting = false; ; waiting = true) {
      if (await create(file, text)) return new FileLock(file, text);
      const note = await readNote(file);
      if (note === undefined) continue;
      if (isAbandoned(note)) {
        await remove(file, note);
        continue;
      }
      const holder = holderOf(note);
      if (performance.now() >= deadline) throw new StoreLocked(store, holder, file);
      if (!waiting) onWait?.(holder);
      await sleep(POLL_INTERVAL);
    }
  }

  /** Whether it is still ours: it may have been removed by hand, or taken over while this process was suspended. */
  async isHeld(): Promise<boolean> {
    return (await readNote(this.#file))?.text === this.#text;
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    if (await this.isHeld()) await rm(this.#file, { force: true });
  }

  async #touch(): Promise<void> {
    const now = new Date();
    // A lock that is gone is noticed before the next write.
    if (await this.isHeld()) await utimes(this.#file, now, now).catch(() => undefined);
  }
}

async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function readNote(file: string): Promise<Note | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    return { text, facts: parse(text), touched: mtimeMs };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A note that is still being written, or isn't ours, says nothing. */
function parse(text: string): ObjectValue {
  try {
    const facts = parseJson(text);
    return isObject(facts) ? facts : {};
  } catch {
    return {};
  }
}

function isAbandoned({ facts: { pid, machine, started }, touched }: Note): boolean {
  if (isPid(pid) && typeof started === "string" && machine === thisProcess().machine)
    return isDead({ pid, started });
  return Date.now() - touched > SILENCE;
}

/**
 * Takes an abandoned lock away. Another run may do the same at this moment and hold a new lock already, so it is first moved
 * aside, then looked at, and put back where it isn't the abandoned one.
 */
async function remove(file: string, abandoned: Note): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  if ((await readNote(aside))?.text === abandoned.text) await rm(aside, { force: true });
  else await rename(aside, file);
}

function holderOf({ facts: { pid, host, since } }: Note): LockHolder {
  return {
    ...(isPid(pid) && { pid }),
    ...(typeof host === "string" && { host }),
    ...(typeof since === "string" && { since }),
  };
}

function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
