import { strFromU8, unzipSync } from "fflate";

/** What a zip archive holds, as one text. */
export function unzipped(zip: Buffer): string {
  return Object.values(unzipSync(zip))
    .map((bytes) => strFromU8(bytes, true))
    .join("");
}
