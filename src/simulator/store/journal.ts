/**
 * The data file: one line of JSON for each commit, synced before the commit's answer is sent. A kill can tear only the
 * last line, which then was never answered for.
 */
import { type FileHandle, open, readFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** What the journal asks of the one whose memory it keeps. */
export interface Contents {
  /** Called for each line, oldest first. @throws where the line is damaged */
  readonly replay: (line: string) => void;
  /** The lines that say all there is to say. */
  readonly snapshot: () => Iterable<string>;
}

/** Enough to make few writes of many lines, without a second copy of everything in memory. */
const CHUNK_CHARACTERS = 1 << 20;

export class Journal {
  #file: FileHandle | undefined;
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /**
   * Replays the file, then replaces it by a snapshot: what was changed or deleted long ago takes no room.
   * @throws Error where a line other than the last is damaged.
   */
  async open(contents: Contents): Promise<void> {
    replayLines(await readOrNothing(this.path), this.path, contents.replay);
    const fresh = `${this.path}.new`;
    this.#file = await open(fresh, "w", 0o600);
    let chunk = "";
    for (const line of contents.snapshot()) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      await this.#file.appendFile(chunk);
      chunk = "";
    }
    await this.#file.appendFile(chunk);
    await this.#file.sync();
    await rename(fresh, this.path);
    await syncFolder(dirname(this.path));
  }

  /** Lines that arrive while others are being written share the next sync. */
  append(line: string): Promise<void> {
    this.#waiting.push(line);
    this.#next ??= this.#last = this.#writeAfter(this.#last);
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.#file?.close();
  }

  async #writeAfter(previous: Promise<void>): Promise<void> {
    // A failed write may have left half a line, so that nothing may follow it: all later ones fail as well.
    await previous;
    await this.#requireOwnFile();
    const text = `${this.#waiting.join("\n")}\n`;
    this.#waiting = [];
    this.#next = undefined;
    await this.#file?.appendFile(text);
    await this.#file?.datasync();
  }

  /** Whoever opens the file puts a new one in its place: writing to the old one would lose what is written. */
  async #requireOwnFile(): Promise<void> {
    const own = await this.#file?.stat();
    const there = await stat(this.path).catch(() => undefined);
    if (own?.ino !== there?.ino)
      throw new Error(`${this.path} was taken over by another simulator, or removed`);
  }
}

function replayLines(data: Buffer, path: string, replay: (line: string) => void): void {
  let start = 0;
  for (let number = 1; start < data.length; number += 1) {
    const end = data.indexOf("\n", start);
    if (end === -1) return;
    try {
      replay(data.toString("utf8", start, end));
    } catch (cause) {
      if (end === data.length - 1) return;
      throw new Error(`${path} is damaged at line ${number}; move it away to start afresh`, { cause });
    }
    start = end + 1;
  }
}

async function readOrNothing(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/** A rename is on disk only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
