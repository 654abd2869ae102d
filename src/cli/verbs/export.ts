/** `tenancy export`: writes code for live objects. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, lstat, mkdir, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import picomatch from "picomatch";
import { type ExportLanguage, exportLive } from "../../engine";
import { ENDINGS, isExported } from "../../export";
import { fileUnusable, notExportable, usage } from "../../problems";
import { durationText, isObject, normalForm, parseJson, plainText } from "../../lib/values";
import { snapshotOptions, stackOptions } from "../flags";
import { EXIT, type ExitCode } from "../io";
import { unreadable, unwritable } from "../named-files";
import { stacksIfAny } from "../project/stacks";
import { interruptible, type Terminal, shownOn } from "../terminal";
import type { Verb } from "./verb";

type Files = ReadonlyMap<string, string>;

export const exportCode: Verb<"export"> = ({ operands, flags }, terminal) =>
  interruptible(terminal, async (signal) => {
    const { io, screen } = terminal;
    if (flags.out === undefined)
      throw usage.error({ problem: "export needs --out", advice: "Name a folder: --out tenants." });
    const language = flags.language ?? "typescript";
    const folder = resolve(io.folder, flags.out);
    if (flags.check !== true) await requireFolder(flags.out, folder);
    const [stack] = await stacksIfAny(operands, flags, terminal, signal);
    const { files, leftOut, declared, takenAt, notes } = await exportLive(stack, {
      ...stackOptions(flags, io),
      ...snapshotOptions(flags, io),
      signal,
      ...shownOn(screen),
      language,
      library: await libraryOf(io.folder),
      isWanted: matcherOf(flags.account),
      ...(stack !== undefined && { stacks: stack.stacks.map(({ name }) => ({ ...stack, name })) }),
      ...(flags.check === true && { earlier: await earlierIn(folder, language) }),
    });
    if (takenAt !== undefined) {
      const age = durationText(Date.now() - Date.parse(takenAt));
      screen.tell(`From a snapshot that is ${age} old (${plainText(takenAt)}); no request was sent.`);
    }
    if (flags.strict === true && leftOut.length > 0) throw notExportable.error(leftOut);
    for (const sentence of [...notes, ...declared, ...leftOut]) screen.tell(sentence);
    if (files.size === 0 && flags.check !== true) {
      screen.tell("Nothing is left to export, so nothing was written.");
      return EXIT.ok;
    }
    return flags.check === true
      ? await compare(folder, files, language, terminal)
      : await writeFiles(flags.out, folder, files, language, terminal);
  });

/** The library that the project in the folder depends on; cdktf if it does not say. */
async function libraryOf(folder: string): Promise<"cdktf" | "cdktn"> {
  const text = await readIfAny(join(folder, "package.json"));
  const names = new Set<string>();
  try {
    const manifest = parseJson(text ?? "{}");
    for (const member of ["dependencies", "devDependencies", "peerDependencies"]) {
      const packages = isObject(manifest) ? manifest[member] : undefined;
      if (isObject(packages)) for (const name of Object.keys(packages)) names.add(name);
    }
  } catch {
    // npm complains of such a file.
  }
  return names.has("cdktn") && !names.has("cdktf") ? "cdktn" : "cdktf";
}

/**
 * Plain names, or patterns. In a pattern, `*` also matches a slash. A pattern with `!` removes accounts from the other patterns' matches,
 * or from all accounts.
 */
function matcherOf(patterns: readonly string[] = []): (account: string) => boolean {
  const matcher = (pattern: string) => {
    const normal = normalForm(pattern);
    const matches = picomatch(normal, { dot: true, bash: true });
    return (account: string) => account === normal || matches(account);
  };
  const isExcluding = (pattern: string) => /^![^(]/.test(pattern);
  const included = patterns.filter((pattern) => !isExcluding(pattern)).map(matcher);
  const excluded = patterns.filter(isExcluding).map((pattern) => matcher(pattern.slice(1)));
  return (account) =>
    (included.length === 0 || included.some((matches) => matches(account))) &&
    !excluded.some((matches) => matches(account));
}

// Comparing.

/** Says which files differ; a file that an earlier export wrote, and this one would not, differs too. */
async function compare(
  folder: string,
  files: Files,
  language: ExportLanguage,
  { screen }: Terminal,
): Promise<ExitCode> {
  const differences: string[] = [];
  for (const [name, text] of files) {
    const present = await readIfAny(join(folder, name));
    if (present === undefined) differences.push(`${name}: missing`);
    else if (present !== text) differences.push(`${name}: differs`);
  }
  const folders = new Set([...files.keys()].map((name) => dirname(name)));
  for (const id of await earlierIn(folder, language)) {
    const name = id + ENDINGS[language];
    if (!files.has(name) && (folders.size === 0 || folders.has(dirname(name))))
      differences.push(`${name}: no longer live`);
  }
  for (const difference of differences) screen.print(difference);
  if (differences.length === 0) screen.tell("The code equals the live records.");
  return differences.length === 0 ? EXIT.ok : EXIT.changes;
}

/** Names of the files in the folder, and in folders in it, that an earlier export wrote; without their ending. */
async function earlierIn(folder: string, language: ExportLanguage): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
  const ending = ENDINGS[language];
  const names = new Set<string>();
  for (const prefix of ["", ...inner.sort()])
    for (const entry of (await readdir(join(folder, prefix)).catch(() => [])).sort()) {
      const name = prefix + entry;
      if (entry.endsWith(ending) && isExported((await readIfAny(join(folder, name))) ?? ""))
        names.add(name.slice(0, -ending.length));
    }
  return names;
}

async function readIfAny(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EISDIR") return undefined;
    throw unreadable(file, error);
  });
}

// Writing: all files or none, and none that is there already.

async function requireFolder(out: string, folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats?.isFile() === true)
    throw fileUnusable.error({
      file: out,
      problem: "is a file, not a folder",
      advice: "Name a folder, or one that does not exist yet.",
    });
}

async function writeFiles(
  out: string,
  folder: string,
  files: Files,
  language: ExportLanguage,
  { screen }: Terminal,
): Promise<ExitCode> {
  const present: string[] = [];
  for (const name of files.keys()) if (await isThere(join(folder, name))) present.push(name);
  if (present.length > 0) throw alreadyExists(present);
  const undos: Undo[] = [];
  try {
    await prepare(folder, files, undos);
    for (const name of files.keys()) await putInPlace(folder, name, undos);
  } catch (error) {
    for (const remove of undos.reverse()) await remove();
    if (fileUnusable.is(error)) throw error;
    throw unwritable(out, error, "Choose a folder that you can write to.");
  }
  for (const name of files.keys()) await rm(draftPath(folder, name), { force: true });
  screen.print([...files.keys()].join("\n"));
  screen.tell(`\n${NEXT[language](out)}`);
  return EXIT.ok;
}

/** True if anything has the name, a link that leads nowhere included. */
async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function alreadyExists(names: readonly string[]): Error {
  return fileUnusable.error({
    file: names.join(", "),
    problem: "already exists; nothing is overwritten",
    advice: "Choose another folder, or compare with --check.",
  });
}

/** Takes away one thing that was made. */
type Undo = () => Promise<unknown>;

/** Writes every file under another name. */
async function prepare(folder: string, files: Files, undos: Undo[]): Promise<void> {
  for (const [name, text] of files) {
    const draft = draftPath(folder, name);
    const first = await mkdir(dirname(draft), { recursive: true });
    // Only empty folders are removed: another program may have put a file there.
    if (first !== undefined) {
      for (let at = first, rest = relative(first, dirname(draft)).split(sep); ; rest = rest.slice(1)) {
        const inner = at;
        undos.push(() => rmdir(inner).catch(() => undefined));
        if (rest[0] === undefined || rest[0] === "") break;
        at = join(at, rest[0]);
      }
    }
    undos.push(() => rm(draft, { force: true }));
    await writeFile(draft, text, { flag: "wx" });
  }
}

/** Gives a written file its name, unless another file has the name by now. */
async function putInPlace(folder: string, name: string, undos: Undo[]): Promise<void> {
  const file = join(folder, name);
  const draft = draftPath(folder, name);
  try {
    // Not every file system has links.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") throw error;
      return copyFile(draft, file, constants.COPYFILE_EXCL);
    });
    undos.push(() => rm(file, { force: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw alreadyExists([name]);
    throw error;
  }
}

function draftPath(folder: string, name: string): string {
  const path = join(folder, name);
  const digits = createHash("sha256").update(path).digest("hex").slice(0, 8);
  return `${dirname(path)}${sep}.${digits}.${process.pid}.tmp`;
}

const NEXT: Readonly<Record<ExportLanguage, (folder: string) => string>> = {
  typescript(folder) {
    const module = JSON.stringify(/^[./]/.test(folder) ? folder : `./${folder}`);
    return `Next, in a stack: import { tenants } from ${module}; … tenants(this); then tenancy plan.`;
  },
  hcl: () =>
    "Next, in the root module: terraform plan. It has objects to import, and nothing to add, change or destroy.",
};
