import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StoreUnusable } from "../errors";

/**
 * The file that a path leads to, which may be absent. Through a symbolic link it is the link's target: replacing the link itself
 * would part it from what it stands for, and two links to one file must share one lock.
 * @throws StoreUnusable for a link that leads nowhere.
 */
export async function placeOf(path: string): Promise<string> {
  const absolute = resolve(path);
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw new StoreUnusable(path, `cannot be reached (${codeOf(error)})`, error);
  }
  if (await isLink(absolute)) throw new StoreUnusable(path, "is a symbolic link that leads nowhere");
  const folder = await realpath(dirname(absolute)).catch(() => dirname(absolute));
  return join(folder, basename(absolute));
}

/** Makes the folder of a file where it is missing: nobody else's business from the start. */
export async function makeFolder(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

/** Whether there is a symbolic link, wherever it leads. */
export async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (status) => status.isSymbolicLink(),
    () => false,
  );
}
