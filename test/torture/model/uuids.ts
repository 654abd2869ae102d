/** The uuids that a configuration declares for its records, in place of those that follow from the owner's name. */
import { createHash } from "node:crypto";
import { ownedUuid, type NaturalKey } from "../../../src/ownership";
import { ANOTHER_OWNER } from "./declaration";

/** `free`: follows from nobody's name. `another owner's`: the uuid that another owner gives a record of this name. */
export type DeclaredUuids = "none" | "free" | "another owner's";

/** Records that are there from the start keep their uuids. */
const SETTLED = new Set(["ops", "deployer"]);

/** @returns undefined if the configuration declares no uuid for the record */
export function declaredUuid(uuids: DeclaredUuids, key: NaturalKey): string | undefined {
  const name = key.names.at(-1) ?? "";
  // A crowd is for limits alone.
  if (uuids === "none" || SETTLED.has(name) || /^c\d/.test(name)) return undefined;
  return uuids === "free" ? freeUuid(key) : ownedUuid({ ...key, owner: ANOTHER_OWNER });
}

/** The same uuid each time: whoever has read the configuration can give it to a record. */
export function freeUuid({ kind, names }: NaturalKey): string {
  const digits = createHash("sha256")
    .update([kind, ...names].join("/"))
    .digest("hex");
  const part = (from: number, to: number) => digits.slice(from, to);
  return `${part(0, 8)}-${part(8, 12)}-4${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}
