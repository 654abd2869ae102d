/** Passwords are kept as salted digests: the data file of a simulator may lie about for long. */
import { createHash, randomBytes } from "node:crypto";

export interface PasswordDigest {
  readonly salt: string;
  readonly digest: string;
}

export function digestPassword(password: string): PasswordDigest {
  const salt = randomBytes(12).toString("base64");
  return { salt, digest: digest(salt, password) };
}

/** Never true where no password is set. */
export function isPassword(password: string, stored: PasswordDigest | null): boolean {
  return stored !== null && digest(stored.salt, password) === stored.digest;
}

// One round only: basic credentials are checked at every request, and these passwords guard nothing but test data.
function digest(salt: string, password: string): string {
  return createHash("sha256")
    .update(salt + password)
    .digest("base64");
}
