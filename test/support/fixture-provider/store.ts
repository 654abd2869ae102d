import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson, stringifyJson, type ObjectValue, type Value } from "../../../src/lib/values";

/** What the fixture's resources are kept in: a folder of JSON files, which the test can read and change. */
export class Store {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  read(id: string): ObjectValue | undefined {
    const file = this.#file(id);
    return existsSync(file) ? (parseJson(readFileSync(file, "utf8")) as ObjectValue) : undefined;
  }

  write(id: string, object: ObjectValue): void {
    writeFileSync(this.#file(id), stringifyJson(object));
  }

  remove(id: string): void {
    rmSync(this.#file(id), { force: true });
  }

  /** Notes what has been called, one line each, in `calls.log`. */
  note(call: string): void {
    appendFileSync(join(this.folder, "calls.log"), `${call}\n`);
  }

  #file(id: string): string {
    return join(this.folder, `${encodeURIComponent(id)}.json`);
  }
}

/** A string attribute; empty where it is null or something else. */
export function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

let current: Store | undefined;

export function openStore(folder: string): void {
  current = new Store(folder);
}

/** The store of the configured provider. */
export function store(): Store {
  if (current === undefined) throw new Error("the provider is not configured");
  return current;
}
