/**
 * The document that a job without secrets passes to a trusted one: the synthesized stacks and the variable files, as one JSON document of names and texts. The
 * reader treats it as untrusted.
 */
import { posix } from "node:path";
import { unfitArchive } from "../problems";
import { isObject, parseUnambiguous, type Value } from "../lib/values";
import { ARCHIVE_FILE, LARGEST_ARCHIVE } from "./host";

const ARCHIVE_FORMAT = "tenancy-stacks";
const ARCHIVE_VERSION = 1;
const MANIFEST = "manifest.json";

/** Variable files that the engine reads from the project's folder by default. */
const VARIABLE_FILE = /^(terraform\.tfvars(\.json)?|[^/]*\.auto\.tfvars(\.json)?)$/;

/** Parts of a path, none of which leads up. */
const FILE_NAME = /^(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+){0,3}$/;
const LONGEST_FILE_NAME = 200;
const MOST_FILES = 1_000;

/** Synthesized stacks, read. */
export interface PackedStacks {
  /** The app's output folder, relative to the project's. */
  readonly output: string;
  /** Names of the stacks. */
  readonly stacks: readonly string[];
  /** Text of each synthesized file, by its path in the project. */
  readonly files: ReadonlyMap<string, string>;
  /** Text of each variable file that the app's job has seen, likewise. The commit's files count. */
  readonly variableFiles: ReadonlyMap<string, string>;
}

export function isVariableFile(name: string): boolean {
  return VARIABLE_FILE.test(name);
}

/** @throws unfitArchive where a reader would refuse it */
export function archiveText(files: ReadonlyMap<string, string>): string {
  const text = `${JSON.stringify({ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, files: Object.fromEntries(files) }, null, 1)}\n`;
  readArchive(Buffer.from(text), ARCHIVE_FILE);
  return text;
}

/**
 * @param archive its description, for errors
 * @throws unfitArchive
 */
export function readArchive(bytes: Buffer, archive: string): PackedStacks {
  const unfit = (problem: string) => unfitArchive.error({ archive, problem });
  if (bytes.length > LARGEST_ARCHIVE) throw unfit(`it is larger than ${LARGEST_ARCHIVE / 2 ** 20} MiB`);
  const document = parsedOrNull(bytes.toString("utf8"));
  if (!isObject(document) || document["format"] !== ARCHIVE_FORMAT)
    throw unfit("it is not what `tenancy ci pack` writes");
  if (document["version"] !== ARCHIVE_VERSION) throw unfit("another version of tenancy has written it");
  const members = document["files"];
  if (!isObject(members)) throw unfit("it holds no files");
  const entries = Object.entries(members);
  if (entries.length > MOST_FILES) throw unfit(`it holds more than ${MOST_FILES} files`);
  const texts = new Map<string, string>();
  for (const [name, text] of entries) {
    if (!FILE_NAME.test(name) || name.length > LONGEST_FILE_NAME)
      throw unfit(`no file can have the name ${JSON.stringify(name)}`);
    if (typeof text !== "string") throw unfit(`${name} in it is no text`);
    texts.set(name, text);
  }
  const names = [...texts.keys()];
  // Two names that a file system may take for one.
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    throw unfit("two of its files differ only in case");
  const manifests = names.filter((name) => posix.basename(name) === MANIFEST);
  const [manifest] = manifests;
  if (manifest === undefined || manifests.length > 1 || manifest.split("/").length !== 2)
    throw unfit(`it does not hold one ${MANIFEST}, in a folder of its own`);
  const output = posix.dirname(manifest);
  const variableFiles = new Map([...texts].filter(([name]) => isVariableFile(name)));
  const files = new Map([...texts].filter(([name]) => name.startsWith(`${output}/`)));
  const stray = names.find((name) => !variableFiles.has(name) && !files.has(name));
  if (stray !== undefined) throw unfit(`${stray} is neither a stack nor a variable file`);
  return { output, stacks: stacksOf(files, output, unfit), files, variableFiles };
}

/** The manifest may name files of its own folder alone. */
function stacksOf(
  files: ReadonlyMap<string, string>,
  output: string,
  unfit: (problem: string) => Error,
): readonly string[] {
  const document = parsedOrNull(files.get(`${output}/${MANIFEST}`) ?? "");
  const stacks = isObject(document) ? document["stacks"] : undefined;
  if (!isObject(stacks)) throw unfit(`its ${MANIFEST} lists no stacks`);
  return Object.entries(stacks).map(([key, entry]) => {
    const path = isObject(entry) ? entry["synthesizedStackPath"] : undefined;
    if (typeof path !== "string" || !FILE_NAME.test(path) || !files.has(`${output}/${path}`))
      throw unfit(`its ${MANIFEST} lists a file for the stack ${JSON.stringify(key)} that it does not hold`);
    const name = isObject(entry) ? entry["name"] : undefined;
    return typeof name === "string" ? name : key;
  });
}

function parsedOrNull(text: string): Value {
  try {
    return parseUnambiguous(text);
  } catch {
    return null;
  }
}
