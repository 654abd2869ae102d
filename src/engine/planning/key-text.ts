import type { NaturalKey } from "../../ownership";

/** A natural key as people read it: `acme`, `jane@acme`. */
export function keyText(key: NaturalKey): string {
  return key.kind === "user_profile" ? `${key.username}@${key.account}` : key.account;
}
