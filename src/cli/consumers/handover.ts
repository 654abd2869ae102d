/** Keeps the file with a token up to date. A marker in it says that it was written here, and for which token. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { resolve } from "node:path";
import type { TokenSecret } from "../../engine";
import { fileExists } from "../../problems";
import { escapedUnits } from "../../lib/values";
import type { Io } from "../io";
import { replaceNamedFile, unreadable } from "../named-files";

/** Options of the user about the program that works with the token. */
export interface Consumer {
  /** Name of the Secret, the section or the backend. @default the token's name */
  readonly name?: string | undefined;
  /** Kubernetes' namespace. @default none is named, so kubectl chooses */
  readonly namespace?: string | undefined;
  /** Name of the service's driver in Proxmox and Cinder. @default "storage" */
  readonly driver?: string | undefined;
  /** True if the consumer verifies the service's certificate. */
  readonly verifiesPeer: boolean;
}

/** A token as its consumer reads it. */
export interface Handover {
  readonly text: string;
  /** A line by which a file is known for one that was written here; undefined if a template has no place for it. */
  readonly marker: string | undefined;
  readonly afterwards: string;
}

/** Advice where the program that reads the file is not known. */
export const RESTART_READERS = "Restart the programs that read it.";

const HANDOVER_MARKER = "Written by `tenancy token write`: ";

/**
 * One line for every reader, even if a name holds line breaks. The names are last, in quotation marks, so that no marker is the beginning of another one.
 */
export function markerOf({ login, name, origin }: TokenSecret): string {
  return `${HANDOVER_MARKER}${origin} ${JSON.stringify(`${login}/${name}`).replace(UNSEEN, escapedUnits)}`;
}

/** YAML ends lines, and so comments, at some of them, and takes no others. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cn}]/gu;

const LARGEST_HANDOVER = 2 ** 20;

/**
 * Writes the file whole, unless it holds this already. A file is replaced only where its marker says that it was written here, for this token.
 * @returns whether anything was written
 * @throws fileExists, fileUnusable
 */
export async function writeHandover(file: string, { text, marker }: Handover, io: Io): Promise<boolean> {
  const present = await contentsOfFile(file, resolve(io.folder, file));
  if (present === text) return false;
  if (present !== undefined) {
    if (marker === undefined) throw fileExists.error({ file, kind: "unmarked" });
    const line = present.split("\n").find((one) => one.includes(HANDOVER_MARKER));
    if (line === undefined) throw fileExists.error({ file, kind: "of others" });
    // JSON escapes the quotation marks in it.
    if (!line.includes(marker) && !line.includes(JSON.stringify(marker).slice(1, -1)))
      throw fileExists.error({ file, kind: "of another token" });
  }
  await replaceNamedFile(file, text, io, 0o600);
  return true;
}

/** Text of the file; undefined if there is no file. From now on only its owner may read the file. */
async function contentsOfFile(file: string, place: string): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    const before = await lstat(place).catch(ifMissing);
    if (before === undefined) return undefined;
    if (!before.isFile() || before.size > LARGEST_HANDOVER)
      throw fileExists.error({ file, kind: "of others" });
    handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
    const text = await handle.readFile("utf8");
    if (text.includes(HANDOVER_MARKER) && (before.mode & 0o077) !== 0) await handle.chmod(0o600);
    return text;
  } catch (error) {
    if (fileExists.is(error)) throw error;
    throw unreadable(file, error, "Name a file that you can read and write.");
  } finally {
    await handle?.close();
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
