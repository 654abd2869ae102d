/**
 * The data file: a line that says what it is, then one line of JSON for each commit, synced before the commit's answer is sent. A kill can tear only the
 * last line, which then was never answered for.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** The functions of the store whose records the journal keeps. */
interface JournalSource {
  /** Called for each line, oldest first. @throws where the line is damaged */
  readonly replay: (line: string) => void;
  /** The lines that say all there is to say. */
  readonly snapshot: () => Iterable<string>;
}

/** Enough to make few writes of many lines, without a second copy of everything in memory. */
const CHUNK_CHARACTERS = 1 << 20;

/** The first line of every data file. */
const HEADER = JSON.stringify({ format: "tenancy-simulator", version: 1 });

export class Journal {
  #file: FileHandle | undefined;
  #waiting: string[] = [];
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {}

  /**
   * Replays the file, then replaces it by a snapshot: earlier versions of records and deleted records take no room.
   * @throws UnusableData if the file does not belong to a simulator, or if a line other than the last is damaged
   */
  async open(contents: JournalSource): Promise<void> {
    replayLines(await readOrNothing(this.path), this.path, contents.replay);
    // A new file under a name of its own (`wx` refuses an existing one), so that unread data is never overwritten. The rename replaces only
    // the data file, whose content was replayed.
    const fresh = `${this.path}.${randomUUID()}`;
    this.#file = await open(fresh, "wx", 0o600);
    try {
      await this.#write(contents);
      await rename(fresh, this.path);
    } catch (error) {
      await this.#file.close();
      await rm(fresh, { force: true });
      throw error;
    }
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

  async #write({ snapshot }: JournalSource): Promise<void> {
    let chunk = `${HEADER}\n`;
    for (const line of snapshot()) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      await this.#file?.appendFile(chunk);
      chunk = "";
    }
    await this.#file?.appendFile(chunk);
    await this.#file?.sync();
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

  /**
   * Checks that the path still leads to the file that this journal writes. Another simulator that opens the data file renames a new one to
   * its path: later writes to the old file would be lost.
   */
  async #requireOwnFile(): Promise<void> {
    const own = await this.#file?.stat();
    const there = await stat(this.path).catch(() => undefined);
    if (own?.ino !== there?.ino)
      throw new Error(`${this.path} was taken over by another simulator, or removed`);
  }
}

/** The data file cannot be used as it is, and is left as it is. */
export class UnusableData extends Error {
  /** @param problem as in "is damaged at line 3" */
  constructor(
    readonly path: string,
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${path} ${problem}; name another file, or move this one away to start afresh`, options);
  }
}

function replayLines(data: Buffer, path: string, replay: (line: string) => void): void {
  if (data.length === 0) return;
  // The first line is on disk before the file has its name, so no kill can have torn it.
  let start = data.indexOf("\n") + 1;
  if (data.toString("utf8", 0, Math.max(start - 1, 0)) !== HEADER)
    throw new UnusableData(path, "is not a data file of the simulator");
  for (let number = 2; start < data.length; number += 1) {
    const end = data.indexOf("\n", start);
    if (end === -1) return;
    try {
      replay(data.toString("utf8", start, end));
    } catch (cause) {
      if (end === data.length - 1) return;
      throw new UnusableData(path, `is damaged at line ${number}`, { cause });
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
