/** A plan that `plan --out` saved, named on the command line of `apply`. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { FileUnusable } from "../../errors";
import type { Io } from "../io";

export interface SavedPlan {
  /** As it was typed. */
  readonly file: string;
  readonly text: string;
}

/** What no stack is called, but files are. */
const LIKE_A_FILE = /[/\\]|\.(?:json|out|plan|tfplan)$/i;

const ADVICE = "Name a file that `tenancy plan --out FILE` wrote; paths are relative to this folder.";

/**
 * @returns undefined where the operands name no file: then they are stacks
 * @throws FileUnusable where the file cannot be read
 */
export async function readSavedPlan(operands: readonly string[], io: Io): Promise<SavedPlan | undefined> {
  const [file] = operands;
  if (file === undefined || operands.length > 1) return undefined;
  const path = resolve(io.folder, file);
  const problem = await stat(path).then(
    (found) => (found.isFile() ? undefined : found.isDirectory() ? "is a folder" : "is not a file"),
    ({ code }: NodeJS.ErrnoException) => (code === "ENOENT" ? "there is no such file" : cannotBeRead(code)),
  );
  if (problem !== undefined) {
    if (LIKE_A_FILE.test(file)) throw new FileUnusable(file, problem, ADVICE);
    return undefined;
  }
  const text = await readFile(path, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    throw new FileUnusable(file, cannotBeRead(code), "Make it readable.");
  });
  return { file, text };
}

function cannotBeRead(code: string | undefined): string {
  return `cannot be read (${code})`;
}
