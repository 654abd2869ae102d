/** What the file functions read: paths are relative to the stack's folder, and may lead anywhere. */
import { readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ExpressionFailed } from "../../../errors";
import type { Scope } from "../../evaluation/scope";
import { MAX_ELEMENTS } from "../../limits";

export function readBytes(path: string, scope: Scope): Buffer {
  try {
    return readFileSync(absolute(path, scope));
  } catch (error) {
    throw new ExpressionFailed(`the file "${path}" cannot be read: ${reason(error)}`, { cause: error });
  }
}

/** @throws ExpressionFailed where the path is something else than a file, or nothing can have it: too long a name, a loop of links. */
export function isFile(path: string, scope: Scope): boolean {
  const stats = statsOf(path, scope);
  if (stats === undefined) return false;
  if (stats.isFile()) return true;
  throw new ExpressionFailed(`"${path}" is not a file`);
}

/** Paths relative to the folder, with forward slashes. */
export function filesBelow(path: string, scope: Scope): string[] {
  const root = absolute(path, scope);
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesIn(join(root, folder))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile() || leadsToFile(join(root, name))) found.push(name);
      if (found.length > MAX_ELEMENTS) throw new ExpressionFailed(`there are too many files below "${path}"`);
    }
  }
  return found;
}

/** `~` at the beginning is the user's home. */
export function expandHome(path: string): string {
  if (/^~[^/\\]/.test(path))
    throw new ExpressionFailed("the home folder of another user cannot be looked up");
  return path.replace(/^~(?=$|[/\\])/, () => homedir());
}

function statsOf(path: string, scope: Scope): Stats | undefined {
  try {
    return statSync(absolute(path, scope), { throwIfNoEntry: false });
  } catch (error) {
    throw new ExpressionFailed(`cannot tell whether there is a file "${path}": ${reason(error)}`, {
      cause: error,
    });
  }
}

function absolute(path: string, scope: Scope): string {
  return resolve(scope.folder, expandHome(path));
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** True of symbolic links to files; links to folders are not followed, they may go round in circles. */
function leadsToFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it does not exist";
  return code === "EISDIR" ? "it is a folder" : (code ?? String(error));
}
