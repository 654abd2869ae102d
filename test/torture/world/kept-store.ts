/** The credential store as it lies on disk, read without the product's own code. */
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

export interface KeptToken {
  readonly login: string;
  readonly name: string;
  readonly record: { readonly id: string; readonly serial: string; readonly access_token: string };
  readonly previous: readonly { readonly serial: string; readonly access_token: string }[];
}

export interface KeptStore {
  /** As it is on disk. */
  readonly text: string;
  readonly tokens: readonly KeptToken[];
  readonly intents: readonly { readonly login: string; readonly name: string }[];
  readonly failedRevocations: readonly { readonly serial: string; readonly access_token: string }[];
  readonly objects: Readonly<
    Record<
      string,
      { readonly uuid: string; readonly write_only: Readonly<Record<string, { readonly version: unknown }>> }
    >
  >;
}

interface Document {
  readonly parts: readonly (Pick<KeptStore, "tokens" | "intents" | "objects"> & {
    readonly failed_revocations: KeptStore["failedRevocations"];
  })[];
}

/** @returns undefined where there is none */
export function readStore(file: string): KeptStore | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  const { parts } = JSON.parse(text) as Document;
  return {
    text,
    tokens: parts.flatMap(({ tokens }) => tokens),
    intents: parts.flatMap(({ intents }) => intents),
    failedRevocations: parts.flatMap(({ failed_revocations: failed }) => failed),
    objects: Object.assign({}, ...parts.map(({ objects }) => objects)) as KeptStore["objects"],
  };
}

/** The disk as a kill leaves it: the lock is its dead holder's, whom an engine in this very process outlives. */
export function copyAsKilled(file: string, folder: string): string {
  const copy = join(folder, "credentials.json");
  if (existsSync(dirname(file))) cpSync(dirname(file), folder, { recursive: true });
  rmSync(`${copy}.lock`, { force: true });
  return copy;
}
