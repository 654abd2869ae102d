/** Collects what can be seen of runs, and says which secret is in it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unzipped } from "../unzipped";
import { around, holds } from "./spellings";

interface Sighted {
  /** Where it was seen. */
  readonly what: string;
  readonly text: string;
}

export class Watch {
  readonly #seen: Sighted[] = [];

  see(what: string, text: string): void {
    this.#seen.push({ what, text });
  }

  /** Everything under a folder; archives are looked into. */
  seeFolder(folder: string, skip: (path: string) => boolean = () => false): void {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || skip(path)) continue;
      const bytes = readFileSync(path);
      this.see(path, bytes.toString("latin1"));
      if (bytes.subarray(0, 2).toString() === "PK") this.see(`${path}, unpacked`, unzipped(bytes));
    }
  }

  /** The secrets that were seen, with the places; empty where all is well. */
  find(secrets: Iterable<string>): readonly string[] {
    return [...new Set(secrets)].flatMap((secret) =>
      this.#seen
        .filter(({ text }) => holds(text, secret))
        .map(({ what, text }) => `${JSON.stringify(secret)} in ${what}: …${around(text, secret)}…`),
    );
  }
}
