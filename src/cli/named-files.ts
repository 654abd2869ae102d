/** Reads and writes the files that a command line names. Errors name a file as it was typed, and say why it cannot be used. */
import { randomUUID } from "node:crypto";
import { open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileUnusable, systemCode } from "../problems";
import type { Io } from "./io";

/** @throws fileUnusable */
export async function readNamedFile(file: string, { folder }: Io, advice: string): Promise<string> {
  return readFile(resolve(folder, file), "utf8").catch((error: unknown) => {
    throw unreadable(file, error, advice);
  });
}

/** As {@link readNamedFile}; `-` is stdin. @throws fileUnusable */
export async function readFileOrStdin(file: string, io: Io): Promise<string> {
  if (file !== "-") return readNamedFile(file, io, "Paths are relative to this folder.");
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString("utf8");
}

/** The error for a file whose reading failed. */
export function unreadable(file: string, cause: unknown, advice = "Make it readable."): Error {
  return fileUnusable.error({ file, problem: readingProblem(cause), advice });
}

export function readingProblem(cause: unknown): string {
  const code = systemCode(cause);
  if (code === "ENOENT") return "there is no such file";
  return code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
}

/**
 * Writes into the file itself: it may be a pipe or a device, and keeps the permissions that it has.
 * @param mode of a file that is made
 * @throws fileUnusable
 */
export async function writeNamedFile(
  file: string,
  text: string,
  { folder }: Pick<Io, "folder">,
  mode = 0o666,
): Promise<void> {
  await writeFile(resolve(folder, file), text, { mode }).catch((error: unknown) => {
    throw unwritable(file, error);
  });
}

/**
 * Replaces a file as a whole: a reader sees either the old text or the new one, and after a failure the old file is still there. A pipe or
 * a device stays, and gets the text. A symbolic link stays, and its target is replaced.
 * @throws fileUnusable
 */
export async function replaceNamedFile(
  file: string,
  text: string,
  { folder }: Io,
  mode: number,
): Promise<void> {
  const typedPlace = resolve(folder, file);
  if (await isPipeOrDevice(typedPlace)) return writeNamedFile(file, text, { folder });
  const place = await realpath(typedPlace).catch(() => typedPlace);
  // Hidden, and without the file's ending: a program that reads all files of the folder with this ending must not take it for one of them.
  const draft = join(dirname(place), `.${basename(place)}.${randomUUID()}`);
  try {
    const handle = await open(draft, "wx", mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw unwritable(file, error);
  }
}

async function isPipeOrDevice(place: string): Promise<boolean> {
  const stats = await stat(place).catch(() => undefined);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

/** The error for a file whose writing failed. */
export function unwritable(
  file: string,
  cause: unknown,
  advice = "Name a file in a folder that exists and that you can write to.",
): Error {
  const code = systemCode(cause);
  const problem = code === "ENOENT" ? "its folder does not exist" : `cannot be written (${code})`;
  return fileUnusable.error({ file, problem, advice });
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
