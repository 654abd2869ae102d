/** The uuids that a configuration declares for its records. */
import { createHash } from "node:crypto";
import type { NaturalKey } from "../../../src/ownership";

/** `free`: each record has one, which anybody can read in the configuration. */
export type DeclaredUuids = "none" | "free";

/** Records that are there from the start keep their uuids. */
const SETTLED = new Set(["ops", "deployer"]);

/** @returns undefined if the configuration declares no uuid for the record */
export function declaredUuid(uuids: DeclaredUuids, key: NaturalKey): string | undefined {
  const name = key.names.at(-1) ?? "";
  // A crowd is for limits alone.
  if (uuids === "none" || SETTLED.has(name) || /^c\d/.test(name)) return undefined;
  return freeUuid(key);
}

/** The same uuid each time: whoever has read the configuration can give it to a record. */
export function freeUuid({ kind, names }: NaturalKey): string {
  const digits = createHash("sha256")
    .update([kind, ...names].join("/"))
    .digest("hex");
  const part = (from: number, to: number) => digits.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}
