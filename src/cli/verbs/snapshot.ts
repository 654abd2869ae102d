/** `tenancy snapshot`: writes what is live to a file, for plans and reports that ask nobody. */
import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { takeSnapshot } from "../../engine";
import { fileUnusable } from "../../problems";
import { type SnapshotFlags, stackOptions } from "../flags";
import { EXIT } from "../io";
import { stacksIfAny } from "../project/stacks";
import { interruptible } from "../terminal";
import type { Verb } from "./verb";

export const snapshot: Verb<SnapshotFlags> = ({ operands, flags }, surroundings) =>
  interruptible(surroundings, async (signal) => {
    const { io, screen } = surroundings;
    const patterns = operands.length === 0 ? "all" : operands;
    const stacks = await stacksIfAny(patterns, flags, surroundings, signal);
    const text = await takeSnapshot(stacks, {
      ...stackOptions(flags, io),
      full: flags.full === true,
      usage: flags.usage === true,
      signal,
      onProgress: (message) => screen.progress(message),
    });
    await writeWhole(resolve(io.folder, flags.out), text, flags.out);
    const isSealed = (io.environment["TENANCY_SNAPSHOT_KEY"] ?? "") !== "";
    screen.tell(
      `Written to ${flags.out}${isSealed ? ", encrypted" : ""}. To plan from it: tenancy plan --live ${flags.out}`,
    );
    return EXIT.ok;
  });

/** The whole text or nothing, readable by its owner alone. @param shown the file as it was typed */
async function writeWhole(file: string, text: string, shown: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  try {
    const handle = await open(fresh, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === "ENOENT" ? "its folder does not exist" : `cannot be written (${code})`;
    throw fileUnusable.error({
      file: shown,
      problem,
      advice: "Name a file in a folder that exists and that you can write to.",
    });
  }
}
