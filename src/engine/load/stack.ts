/** Finds a synthesized stack, and reads it. */
import { unknownStack } from "../../problems";
import { dataSources, ephemeralResources, resources } from "../../resources";
import { type ManifestEntry, readManifest, readStack, readStackFile, type Stack } from "../../stack";
import { PROVIDER_FUNCTIONS } from "../families";
import type { StackSource } from "../options";

export interface LoadedStack {
  readonly entry: ManifestEntry;
  readonly stack: Stack;
  /** Every stack of the app, this one among them. */
  readonly siblings: readonly ManifestEntry[];
}

/** @throws brokenStack, unknownStack, InvalidConfiguration */
export async function loadStack({ name, outdir }: StackSource): Promise<LoadedStack> {
  const siblings = await readManifest(outdir);
  const entry = siblings.find((stack) => stack.name === name);
  if (entry === undefined) {
    throw unknownStack.error({ name, known: siblings.map((stack) => stack.name) });
  }
  return { entry, stack: await loadSibling(entry, siblings), siblings };
}

/** Another stack of the same app. */
export async function loadSibling(entry: ManifestEntry, siblings: readonly ManifestEntry[]): Promise<Stack> {
  return readStack(await readStackFile(entry), {
    folder: entry.folder,
    file: entry.file,
    siblings,
    types: { resources, dataSources, ephemerals: ephemeralResources },
    functions: PROVIDER_FUNCTIONS,
  });
}
