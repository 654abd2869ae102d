/** Secrets of bearer tokens. */
import { createHash, randomBytes } from "node:crypto";

/** `0/` begins a session's token, `1/` a persistent one; 54 characters of unpadded base64 follow. */
export function newToken(prefix: "0/" | "1/"): string {
  return prefix + randomBytes(40).toString("base64").replace(/=+$/, "");
}

export function digestToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
