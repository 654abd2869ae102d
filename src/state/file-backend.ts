/** Keeps the document in a private file, which is replaced as a whole, and locked by a second file in its folder. */
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import {
  corruptState,
  stateExposed,
  stateLockLost,
  stateUnusable,
  TenancyError,
  systemCode,
} from "../problems";
import type { Backend, KeptText, LockWait } from "./backend";
import { FileLock, isMissing, makeFolder, fileBehind } from "./file-lock";

/** A larger file is no state, and would only take memory. */
const LARGEST_STATE = 256 * 2 ** 20;

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Rights of the group and of others. */
const RIGHTS_OF_OTHERS = 0o077;

export class FileBackend implements Backend {
  #lock: FileLock | undefined;

  /** @param description the path, as the user wrote it */
  constructor(readonly description: string) {}

  slotOf(): string {
    return "";
  }

  async read(): Promise<KeptText | undefined> {
    return this.#attempt("cannot be read", async () => {
      const handle = await openIfThere(await fileBehind(this.description));
      if (handle === undefined) return undefined;
      try {
        return await this.#contents(handle);
      } finally {
        await handle.close();
      }
    });
  }

  async write(_part: unknown, text: string): Promise<void> {
    await this.#attempt("cannot be written", async () => {
      const place = await fileBehind(this.description);
      if (!(await this.#lock?.isHeld())) throw stateLockLost.error(this.description);
      const draft = draftOf(place);
      await rm(draft, { force: true });
      try {
        await writeDurably(draft, text);
        await rename(draft, place);
      } catch (error) {
        await rm(draft).catch(() => undefined);
        throw error;
      }
      await syncFolder(dirname(place));
    });
  }

  async lock(wait: LockWait): Promise<void> {
    await this.#attempt("cannot be locked", async () => {
      const place = await fileBehind(this.description);
      await makeFolder(place);
      this.#lock = await FileLock.take(`${place}.lock`, this.description, wait);
      // A file that a killed run has left behind. If it cannot be removed, the next write reports the error.
      await rm(draftOf(place)).catch(() => undefined);
    });
  }

  async unlock(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await this.#attempt("cannot be unlocked", async () => lock?.release());
  }

  async #contents(handle: FileHandle): Promise<KeptText> {
    const status = await handle.stat();
    if (!status.isFile())
      throw stateUnusable.error({ state: this.description, fault: "is not a regular file" });
    if (status.size > LARGEST_STATE)
      throw stateUnusable.error({ state: this.description, fault: "is far too large" });
    return {
      text: this.#decode(await handle.readFile()),
      demandPrivate: () => {
        // Windows does not use these bits, and reports them as set.
        if (process.platform !== "win32" && (status.mode & RIGHTS_OF_OTHERS) !== 0)
          throw stateExposed.error({ path: this.description, mode: status.mode & 0o7777 });
      },
    };
  }

  #decode(bytes: Buffer): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw corruptState.error({ state: this.description, fault: "it is not text" });
    }
  }

  async #attempt<T>(failure: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof TenancyError) throw error;
      throw stateUnusable.error(
        { state: this.description, fault: `${failure} (${String(systemCode(error))})` },
        { cause: error },
      );
    }
  }
}

/** The file in which a new document is written before it takes the old one's place. One name suffices: only the holder of the lock writes. */
function draftOf(place: string): string {
  return `${place}.tmp`;
}

async function openIfThere(place: string): Promise<FileHandle | undefined> {
  try {
    return await open(place, READ);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, CREATE, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename lasts through a power cut only once the folder is on disk too. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // It has no such call; NTFS journals its folders.
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
