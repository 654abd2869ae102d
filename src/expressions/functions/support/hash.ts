import { createHash } from "node:crypto";

export function hash(
  algorithm: "md5" | "sha1" | "sha256" | "sha512",
  content: string | Uint8Array,
  encoding: "hex" | "base64",
): string {
  return createHash(algorithm).update(content).digest(encoding);
}
