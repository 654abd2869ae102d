import { inflateRawSync } from "node:zlib";

/** What a zip archive holds, as one text. */
export function unzipped(zip: Buffer): string {
  let text = "";
  for (let at = 0; (at = zip.indexOf("PK\u0001\u0002", at, "latin1")) >= 0; at += 46) {
    const size = zip.readUInt32LE(at + 20);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(start, start + size);
    text +=
      zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(data).toString("latin1") : data.toString("latin1");
  }
  return text;
}
