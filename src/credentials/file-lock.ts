/** A lock that is a file: whoever creates it holds it. What it says tells who that is, its time of change that they live. */
import { randomUUID } from "node:crypto";
import { rm, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreLocked, StoreUnusable } from "../errors";
import { DEFAULT_WAIT, type LockWait } from "./backend";
import { codeOf, isLink } from "./file-place";
import {
  holderOf,
  isDeadHere,
  isSilent,
  isUnwritten,
  PACE,
  readNote,
  type LockNote,
  type LockPace,
} from "./lock-note";
import { thisProcess } from "./process-identity";

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
   * @param store description of the store, for messages
   * @throws StoreLocked where another run holds it for longer than the wait.
   */
  static async take(
    file: string,
    store: string,
    { timeout = DEFAULT_WAIT, onWait }: LockWait,
    pace = PACE,
  ): Promise<FileLock> {
    const text = JSON.stringify({ ...thisProcess(), since: new Date().toISOString(), id: randomUUID() });
    const begin = performance.now();
    let waiting = false;
    let watched: { readonly note: LockNote; readonly since: number } | undefined;
    while (!(await create(file, text))) {
      const note = await readNote(file);
      if (note === undefined) {
        // Either the lock was given back just now, or what is there can neither be made nor read.
        if (await isLink(file))
          throw new StoreUnusable(store, `cannot be locked: ${file} is a symbolic link`);
        continue;
      }
      if (watched?.note.text !== note.text || watched.note.touched !== note.touched)
        watched = { note, since: performance.now() };
      const unchanged = performance.now() - watched.since;
      const abandoned =
        isDeadHere(note) || isSilent(note, unchanged, pace) || isUnwritten(note, unchanged, pace);
      if (abandoned && (await removed(file, note))) continue;
      if (performance.now() - begin >= timeout) throw new StoreLocked(store, holderOf(note), file);
      if (!waiting) onWait?.(holderOf(note));
      waiting = true;
      await sleep(POLL_INTERVAL);
    }
    return new FileLock(file, text, pace);
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
    try {
      if (await this.isHeld()) await utimes(this.#file, now, now);
    } catch {
      // Whether the lock is still held is asked before each write, and reported there.
    }
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

/**
 * Removes an abandoned lock. Only one run at a time may, or a second one would remove the new lock of the first: that is
 * what the file beside it is for.
 * @returns false while another run is at it
 */
async function removed(file: string, abandoned: LockNote): Promise<boolean> {
  const takeover = `${file}.takeover`;
  if (!(await create(takeover, ""))) {
    const left = await readNote(takeover);
    if (left !== undefined && Date.now() - left.touched > LONGEST_TAKEOVER)
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
