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

/**
 * @returns undefined where the operands name no file: then they are stacks
 * @throws FileUnusable where the file cannot be read
 */
export async function readSavedPlan(operands: readonly string[], io: Io): Promise<SavedPlan | undefined> {
  const [file] = operands;
  if (file === undefined || operands.length > 1) return undefined;
  const path = resolve(io.folder, file);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return undefined;
  const text = await readFile(path, "utf8").catch(({ code }: NodeJS.ErrnoException) => {
    throw new FileUnusable(file, `cannot be read (${code})`, "Make it readable.");
  });
  return { file, text };
}
