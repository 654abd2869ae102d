/** What a plan under Terraform says of a create that will be refused when it is applied. */
import type { CommonRecord } from "../../api";
import { AlreadyLive, asWarning, Foreign, type Diagnostic } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection } from "../family";
import type { RecordKind } from "./kind";
import { text } from "./members";
import { idOf } from "./seek";

/** Warnings only: a `moved` or `import` block that is not seen here may settle it yet. */
export async function foresee<T extends CommonRecord>(
  { inventory, noun }: RecordKind<T>,
  { directory, owners }: Connection,
  config: ObjectValue,
  replaced?: ObjectValue,
): Promise<readonly Diagnostic[]> {
  const sought = inventory.locate(config, await directory.snapshot(), owners);
  if (sought.kind === "refused") return asWarning(sought.error);
  if (sought.kind !== "live") return [];
  const { self } = sought.records;
  const key = text(self["name"]) ?? text(self["login"]) ?? "";
  const id = idOf(self);
  if (replaced?.["id"] === self["id"]) return [];
  return asWarning(sought.claim === "ours" ? new AlreadyLive(noun, key, id) : new Foreign(noun, key, id));
}
