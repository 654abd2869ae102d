/** Keys of encrypted states and snapshots, as `tenancy key new` makes them, out of words: canaries stay in them. */
import { createHash } from "node:crypto";

export function stateKey(words: string): string {
  const random = words
    .replace(/[^\w-]/g, "-")
    .padEnd(43, "0")
    .slice(0, 43);
  return `tenancy-key-${random}${checksumOf(`tenancy-key-${random}`)}`;
}

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 6);
}
