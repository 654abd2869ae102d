import { createHash } from "node:crypto";
import { ExpressionFailed } from "../../errors";
import { define } from "./definition";
import { text } from "./parameter";

/** `dns`, `url`, `oid` and `x500` are names of namespaces. */
export const uuidv5 = define("uuidv5", [text("namespace"), text("name")], ([namespace, name]) => {
  const space = WELL_KNOWN.get(namespace) ?? namespace;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(space)) {
    throw new ExpressionFailed(
      `the namespace must be a uuid, or one of ${[...WELL_KNOWN.keys()].join(", ")}`,
    );
  }
  const bytes = createHash("sha1")
    .update(Buffer.from(space.replace(/-/g, ""), "hex"))
    .update(name)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
});

const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ["dns", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"],
  ["url", "6ba7b811-9dad-11d1-80b4-00c04fd430c8"],
  ["oid", "6ba7b812-9dad-11d1-80b4-00c04fd430c8"],
  ["x500", "6ba7b814-9dad-11d1-80b4-00c04fd430c8"],
]);
