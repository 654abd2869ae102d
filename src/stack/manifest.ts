/** `manifest.json` of an app's output folder: which stacks it synthesized, and where they are. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BrokenStack } from "../errors";
import { isList, isObject, type ObjectValue, type Value } from "../values";
import { textOf } from "./source";

export interface ManifestEntry {
  readonly name: string;
  /** The stack's JSON. */
  readonly file: string;
  /** Folder of that file. */
  readonly folder: string;
  /** Names of the stacks that it refers to. */
  readonly dependencies: readonly string[];
}

/** @throws BrokenStack where the manifest is missing, or not of the form that CDKTF writes */
export async function readManifest(outdir: string): Promise<readonly ManifestEntry[]> {
  const path = join(outdir, "manifest.json");
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new BrokenStack("the app synthesized nothing: there is no manifest.json", { file: path, cause });
  });
  const stacks = stacksIn(text, path);
  return Object.entries(stacks).map(([name, entry]) => {
    const relative = isObject(entry) ? textOf(entry, "synthesizedStackPath") : undefined;
    if (!isObject(entry) || relative === undefined)
      throw new BrokenStack(`manifest.json does not say where the stack "${name}" is`, { file: path });
    const file = join(outdir, relative);
    return { name, file, folder: dirname(file), dependencies: textsOf(entry["dependencies"]) };
  });
}

function stacksIn(text: string, path: string): ObjectValue {
  let json: Value;
  try {
    json = JSON.parse(text) as Value;
  } catch (cause) {
    throw new BrokenStack("manifest.json is not JSON", { file: path, cause });
  }
  const stacks = isObject(json) ? json["stacks"] : undefined;
  if (!isObject(stacks)) throw new BrokenStack("manifest.json lists no stacks", { file: path });
  return stacks;
}

function textsOf(value: Value | undefined): readonly string[] {
  return (isList(value) ? value : []).filter((element) => typeof element === "string");
}

/** @throws BrokenStack where the stack's file cannot be read */
export async function readStackFile({ name, file }: ManifestEntry): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new BrokenStack(`the synthesized stack "${name}" cannot be read`, { file, cause });
  });
}
