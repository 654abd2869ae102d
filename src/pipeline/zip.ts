/** Reads files from an untrusted zip archive: by their names, with a limit, and without writing anything. */
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { fromBufferPromise, type Entry } from "yauzl";
import { unfitArchive } from "../problems";

const MOST_ENTRIES = 100;

/**
 * @param limit bytes of the file
 * @param isAlone true if the archive may hold no other file
 * @returns undefined where the archive has no such file
 * @throws unfitArchive
 */
export async function fileFromZip(
  bytes: Buffer,
  name: string,
  limit: number,
  archive: string,
  isAlone = false,
): Promise<Buffer | undefined> {
  const unfit = (problem: string, cause?: unknown) => unfitArchive.error({ archive, problem }, { cause });
  const fails = (problem: string) => (cause: unknown) => Promise.reject<never>(unfit(problem, cause));
  const zip = await fromBufferPromise(bytes).catch(fails("it is no zip archive"));
  if (isAlone && zip.entryCount > 1)
    throw unfit(`it holds ${zip.entryCount} entries, and only "${name}" is expected`);
  if (zip.entryCount > MOST_ENTRIES) throw unfit(`it holds more than ${MOST_ENTRIES} entries`);
  const all = (await Readable.from(zip.eachEntry()).toArray().catch(fails("it is broken"))) as Entry[];
  const [entry, second] = all.filter(({ fileName }) => fileName === name);
  if (entry === undefined) return undefined;
  if (second !== undefined) throw unfit(`it holds "${name}" twice`);
  // A regular file, or one whose maker has no such types.
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== 0o100000) throw unfit(`"${name}" in it is no regular file`);
  // More bytes than the entry states are an error of the library's.
  if (entry.uncompressedSize > limit) throw unfit(`"${name}" in it is larger than ${limit / 2 ** 20} MiB`);
  return zip.openReadStreamPromise(entry).then(buffer).catch(fails("it is broken"));
}
