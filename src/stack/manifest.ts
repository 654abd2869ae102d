/** Reads `manifest.json` of an app's output folder: which stacks were synthesized, and where they are. */
import { isAscii } from "node:buffer";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { brokenStack } from "../problems";
import { isList, isObject, type ObjectValue, parseJson, type Value } from "../lib/values";
import { inDependencyOrder } from "./order";

/** A stack that an app has synthesized. */
export interface ManifestEntry {
  /** Name by which commands know the stack. */
  readonly name: string;
  /** Path of the stack's construct in the app. */
  readonly constructPath: string;
  /** The stack's JSON, absolute. */
  readonly file: string;
  /** Folder from which paths of the stack count, absolute: that of the file, unless the file is a run's own copy. */
  readonly folder: string;
  /** Names of the stacks that it refers to. */
  readonly dependencies: readonly string[];
  /** Annotations that the app made while it was synthesized. */
  readonly annotations: readonly Annotation[];
  /**
   * The stack's JSON, in the normal form in which Terraform holds all texts. It was read with the manifest, so that a run works with one synthesis even if
   * another command writes to the folder meanwhile.
   * @throws TENANCY_SYNTHESIS_FAILED if the file could not be read
   */
  readonly text: () => string;
}

/** The messages that a construct has attached with `Annotations`. */
export interface Annotation {
  /** An error stops the run. */
  readonly level: "info" | "warning" | "error";
  /** As the app wrote it. */
  readonly message: string;
  /** Path of the construct that it was attached to. */
  readonly constructPath: string | undefined;
}

/**
 * @param outdir the app's `cdktf.out`
 * @returns the stacks in the order of the manifest's text
 * @throws brokenStack if the manifest is missing, has another form than CDKTF's, or names missing files
 */
export async function readManifest(outdir: string): Promise<readonly ManifestEntry[]> {
  const file = join(outdir, "manifest.json");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw brokenStack.error("the app synthesized nothing: there is no manifest.json", { file, cause });
  });
  const entries = await Promise.all(
    [...stacksIn(text, file)].map(async ([key, entry]) => {
      const stack = manifestEntry(key, entry, outdir, file);
      return { ...stack, text: await textOrError(stack) };
    }),
  );
  return entries.map((entry) => ({
    ...entry,
    // The manifest names dependencies by the paths of their constructs.
    dependencies: entry.dependencies.map(
      (path) =>
        entries.find(({ constructPath }) => constructPath === path)?.name ??
        entries.find(({ name }) => name === path)?.name ??
        path,
    ),
  }));
}

/**
 * The order in which commands work on stacks: dependencies first, then the order in which the app created the stacks, then that of the manifest. CDKTF writes
 * the manifest by name, so our provider's construct notes the order of creation in each stack.
 */
export function inOrderOfCreation(entries: readonly ManifestEntry[]): readonly ManifestEntry[] {
  const nodes = entries.map((entry) => ({
    address: entry.name,
    dependencies: entry.dependencies,
    entry,
    // The order of a single stack is of no interest, and a stack may be large.
    order: entries.length === 1 ? 0 : notedOrder(entry),
  }));
  // CDKTF lets no two stacks refer to each other; where a manifest says so all the same, either may come first.
  return inDependencyOrder(
    nodes.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order)),
    () => undefined,
  ).map(({ entry }) => entry);
}

/** After all others where nothing is noted, as in a stack without our provider, or where the stack cannot be read: its own run says why. */
function notedOrder(entry: ManifestEntry): number {
  let json: Value | undefined;
  try {
    json = parseJson(entry.text());
  } catch {
    return Infinity;
  }
  const comment = isObject(json) ? json["//"] : undefined;
  const note = isObject(comment) ? comment["tenancy"] : undefined;
  const order = isObject(note) ? note["order"] : undefined;
  return typeof order === "number" ? order : Infinity;
}

/** A broken stack fails the runs that need it, and no other. */
async function textOrError(entry: Pick<ManifestEntry, "name" | "file">): Promise<() => string> {
  try {
    const text = await readStackFile(entry);
    return () => text;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function readStackFile({ name, file }: Pick<ManifestEntry, "name" | "file">): Promise<string> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_STACK)
    throw brokenStack.error(`the synthesized stack "${name}" is larger than ${MAX_STACK / 2 ** 20} MiB`, {
      file,
      advice: "Split it into several stacks.",
    });
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw brokenStack.error(`the synthesized stack "${name}" cannot be read`, { file, cause });
  });
  // Plain ASCII, as most stacks are, is in its normal form: to find that out takes a tenth of the time of normalising.
  return isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8").normalize();
}

/** The stacks by name, in the order of the text. */
function stacksIn(text: string, file: string): ReadonlyMap<string, Value> {
  let json: Value;
  let markedValue: Value;
  try {
    json = parseJson(text);
    // An object of JavaScript lists a member called "2026" before all others. With a mark before each name it keeps the text's order.
    markedValue = parseJson(
      text.replace(/"((?:[^"\\]|\\.)*)"(\s*:)?/g, (string, name: string, colon: string | undefined) =>
        colon === undefined ? string : `"${MARK}${name}"${colon}`,
      ),
    );
  } catch (cause) {
    throw brokenStack.error("manifest.json is not JSON", { file, cause });
  }
  const stacks = isObject(json) ? json["stacks"] : undefined;
  const order = isObject(markedValue) ? markedValue[`${MARK}stacks`] : undefined;
  if (!isObject(stacks) || !isObject(order))
    throw brokenStack.error("manifest.json lists no stacks", { file });
  const names = Object.keys(order).map((name) => name.slice(MARK.length));
  return new Map(names.map((name) => [name, stacks[name] ?? null]));
}

const MARK = "name:";

function manifestEntry(key: string, entry: Value, outdir: string, file: string): Omit<ManifestEntry, "text"> {
  const path = isObject(entry) ? textMember(entry, "synthesizedStackPath") : undefined;
  if (!isObject(entry) || path === undefined) {
    throw brokenStack.error(`manifest.json does not say where the stack "${key}" is`, { file });
  }
  const stackFile = resolve(outdir, path);
  if (!isExistingFile(stackFile)) {
    throw brokenStack.error(`manifest.json lists the stack "${key}", but its file does not exist`, {
      file: stackFile,
    });
  }
  const name = textMember(entry, "name") ?? key;
  return {
    name,
    constructPath: textMember(entry, "constructPath") ?? name,
    file: stackFile,
    folder: dirname(stackFile),
    dependencies: listMember(entry, "dependencies").filter((one) => typeof one === "string"),
    annotations: listMember(entry, "annotations").filter(isObject).map(readAnnotation),
  };
}

/** Bytes of a synthesized stack: many times the size of a stack of twenty thousand users, and less than the longest text. */
const MAX_STACK = 256 * 2 ** 20;

/** False also of a path that no file can have: one that is too long, or holds a NUL. */
function isExistingFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function readAnnotation(annotation: ObjectValue): Annotation {
  const level = textMember(annotation, "level") ?? "";
  return {
    level: level.endsWith("error") ? "error" : level.endsWith("warn") ? "warning" : "info",
    message: textMember(annotation, "message") ?? "",
    constructPath: textMember(annotation, "constructPath"),
  };
}

function textMember(object: ObjectValue, name: string): string | undefined {
  const value = object[name];
  return typeof value === "string" ? value : undefined;
}

function listMember(object: ObjectValue, name: string): readonly Value[] {
  const value = object[name];
  return isList(value) ? value : [];
}
