/**
 * Keys of encrypted states and snapshots. An attacker can guess at a committed file without limit, so only random keys are taken. The checksum proves
 * that Tenancy made a key, and detects a mistyped one before anything is read.
 */
import { createHash, randomBytes } from "node:crypto";

const KEY_PREFIX = "tenancy-key-";
/** In base64url: 32 bytes, and a checksum of 6 characters. */
const KEY_FORM = /^tenancy-key-([\w-]{43})([\w-]{6})$/;

/** A random key for an encrypted state, or for snapshots: the same as `tenancy key new` prints. Secret. */
export function newStateKey(): string {
  const random = randomBytes(32).toString("base64url");
  return KEY_PREFIX + random + keyChecksum(random);
}

export function isStateKey(key: string): boolean {
  const [, random, checksum] = KEY_FORM.exec(key) ?? [];
  return random !== undefined && checksum === keyChecksum(random);
}

function keyChecksum(random: string): string {
  return createHash("sha256")
    .update(KEY_PREFIX + random)
    .digest("base64url")
    .slice(0, 6);
}
