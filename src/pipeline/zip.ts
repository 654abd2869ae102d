/** Reads files from an untrusted zip archive: by their names, with a limit, and without writing anything. */
import { inflateRawSync } from "node:zlib";
import { unfitArchive } from "../problems";

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
/** The end record without its comment, which is at most so long. */
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const MOST_ENTRIES = 100;

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly compressedSize: number;
  readonly offset: number;
  /** Type bits of Unix; 0 if the archive has none. */
  readonly type: number;
}

/**
 * @param limit bytes of the file
 * @param isAlone true if the archive may hold no other file
 * @returns undefined where the archive has no such file
 * @throws unfitArchive
 */
export function fileFromZip(
  zip: Buffer,
  name: string,
  limit: number,
  archive: string,
  isAlone = false,
): Buffer | undefined {
  const unfit = (problem: string) => unfitArchive.error({ archive, problem });
  const all = zipEntries(zip, unfit);
  const entries = all.filter((entry) => entry.name === name);
  const [entry] = entries;
  if (isAlone && all.length > 1)
    throw unfit(`it holds ${all.length} entries, and only "${name}" is expected`);
  if (entry === undefined) return undefined;
  if (entries.length > 1) throw unfit(`it holds "${name}" twice`);
  // A regular file, or one whose maker has no such types.
  if (entry.type !== 0 && entry.type !== 0o100000) throw unfit(`"${name}" in it is no regular file`);
  const { offset, compressedSize, method } = entry;
  if (offset + 30 > zip.length || zip.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw unfit("it is broken");
  const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
  if (start + compressedSize > zip.length) throw unfit("it is broken");
  const data = zip.subarray(start, start + compressedSize);
  if (method === 0 && data.length <= limit) return data;
  if (method !== 0 && method !== 8) throw unfit("it is compressed in an unknown way");
  try {
    if (method === 8) return inflateRawSync(data, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") throw unfit("it is broken");
  }
  throw unfit(`"${name}" in it is larger than ${limit / 2 ** 20} MiB`);
}

/** The list at the archive's end. */
function zipEntries(zip: Buffer, unfit: (problem: string) => Error): readonly ZipEntry[] {
  let end = zip.length - END_BYTES;
  while (
    end >= 0 &&
    end >= zip.length - END_BYTES - LONGEST_COMMENT &&
    zip.readUInt32LE(end) !== END_SIGNATURE
  )
    end--;
  if (end < 0 || zip.readUInt32LE(end) !== END_SIGNATURE) throw unfit("it is no zip archive");
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw unfit(`it holds more than ${MOST_ENTRIES} entries`);
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== ENTRY_SIGNATURE) throw unfit("it is broken");
    const nameBytes = zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString("utf8", at + 46, at + 46 + nameBytes),
      method: zip.readUInt16LE(at + 10),
      compressedSize: zip.readUInt32LE(at + 20),
      offset: zip.readUInt32LE(at + 42),
      type: (zip.readUInt32LE(at + 38) >>> 16) & 0o170000,
    });
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}
