/** The files of a project as a commit has them: a review and an apply read the same ones, and no file that a job has made. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { below, isVariableFile, type PackedStacks } from "../../../pipeline";
import { unfitArchive } from "../../../problems";
import type { TrustedJob } from "./job";

/**
 * Calls of functions that read files. Most stacks have none, and then no file but the variable files is taken from Git. The text is untrusted: the
 * bound on the rest of a name keeps the search linear.
 */
const READS_FILES = /file\w{0,20}\s*\(/;
/** Largest size of one file, and of all files, in bytes: no stack reads larger files. */
const LARGEST_READ_FILE = 8 * 2 ** 20;
const LARGEST_FILES = 128 * 2 ** 20;

/**
 * Lays out the project as it is in a commit: the stacks of the archive, and regular files of the commit. Links are no files, so that no path leads
 * out of the folder.
 * @throws unfitArchive where the app's job has seen other variable files than the commit has
 */
export async function layOut(
  { repository, place }: TrustedJob,
  archive: PackedStacks,
  commit: string,
  folder: string,
): Promise<void> {
  const prefix = below(place);
  const entries = (await repository.entries(commit, place.path))
    .map((entry) => ({ ...entry, name: entry.path.slice(prefix.length) }))
    .filter(
      ({ name, isRegular }) => isRegular && isPlainPath(name) && !name.startsWith(`${archive.output}/`),
    );
  const variableFiles = entries.filter(({ name }) => isVariableFile(name));
  const readsFiles = [...archive.files.values()].some((text) => READS_FILES.test(text));
  const others = readsFiles
    ? entries.filter(({ name, bytes }) => !isVariableFile(name) && bytes <= LARGEST_READ_FILE)
    : [];
  const all = [...variableFiles, ...others];
  const bytes = all.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > LARGEST_FILES)
    throw unfitArchive.error({
      archive: "the commit",
      problem: `the stacks read files, and those of the project are larger than ${LARGEST_FILES / 2 ** 20} MiB together`,
      advice: "Move the project into a folder of its own.",
    });
  const contents = await repository.blobs(all.map(({ blob }) => blob));
  const committed = new Map(all.map(({ name }, at) => [name, contents[at] ?? Buffer.alloc(0)]));

  const packedFiles = archive.variableFiles;
  const different = [...new Set([...packedFiles.keys(), ...variableFiles.map(({ name }) => name)])].filter(
    (name) => packedFiles.get(name) !== committed.get(name)?.toString("utf8"),
  );
  if (different.length > 0)
    throw unfitArchive.error({
      archive: "the archive of the job without secrets",
      problem: `its ${different.sort().join(", ")} is not the one of the commit`,
      advice:
        "Commit variable files: only those of the commit are read. If the default branch has moved on, run the pull request's job again.",
    });
  const files = new Map<string, string | Buffer>([...committed, ...archive.files]);
  for (const [name, content] of files) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600, flag: "wx" });
  }
}

/** False for a path that leads out of the folder, which Git itself would not write, and for files of Git and of the state. */
function isPlainPath(name: string): boolean {
  const parts = name.toLowerCase().split("/");
  return parts.every((part) => !["", ".", "..", ".git", ".tenancy"].includes(part));
}
