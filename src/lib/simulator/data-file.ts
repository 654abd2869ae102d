/** The data file: all records as JSON. It is replaced as a whole before a write is answered, so a killed process leaves every answered write. */
import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { parseJson, toJson } from "./json";

const FORMAT = "tenancy-simulator";

/** The data file cannot be used as it is, and is left as it is. */
export class UnusableData extends Error {
  /** @param problem as in "is not a data file of the simulator" */
  constructor(
    readonly path: string,
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    super(`${path} ${problem}; name another file, or move this one away to start afresh`, options);
  }
}

export class DataFile {
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  /** @param contents all that there is to keep, at the moment of the call */
  constructor(
    readonly path: string,
    private readonly contents: () => readonly unknown[],
  ) {}

  /** @returns what was written last; nothing where there is no file. @throws UnusableData */
  async read(): Promise<readonly unknown[]> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return undefined;
    });
    if (text === undefined || text === "") return [];
    try {
      const { format, changes } = parseJson(text) as { readonly format?: unknown; readonly changes: unknown };
      if (format === FORMAT && Array.isArray(changes)) return changes as readonly unknown[];
    } catch (cause) {
      throw new UnusableData(this.path, "is not a data file of the simulator", { cause });
    }
    throw new UnusableData(this.path, "is not a data file of the simulator");
  }

  /** Changes that are made while the file is written share the next write. */
  write(): Promise<void> {
    this.#next ??= this.#last = this.#last.then(() => this.#replace());
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  async #replace(): Promise<void> {
    this.#next = undefined;
    // `wx` refuses an existing file: unread data is never overwritten.
    const draft = `${this.path}.${randomUUID()}`;
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(`${toJson({ format: FORMAT, changes: this.contents() })}\n`);
      await file.sync();
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }
}
