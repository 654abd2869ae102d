/** Taking in an object that exists: by id, serial or natural key. */
import type { CommonRecord } from "../../api";
import { NoSuchObject } from "../../errors";
import type { Connection, Outcome } from "../family";
import { clientDefaults } from "./defaults";
import type { RecordKind } from "./kind";

/** @throws NoSuchObject, OtherOwner, PrimaryProfile */
export async function importRecord<T extends CommonRecord>(
  { inventory, description }: RecordKind<T>,
  { directory, owners }: Connection,
  idOrKey: string,
): Promise<Outcome> {
  const sought = inventory.locateById(idOrKey, await directory.snapshot(), owners);
  if (sought.kind === "refused") throw sought.error;
  if (sought.kind !== "live") {
    const { noun } = description;
    const key = noun === "account" ? "name" : "login";
    throw new NoSuchObject(noun, `the id, serial or ${key} ${JSON.stringify(idOrKey)}`);
  }
  const state = inventory.stateOf(sought.records, clientDefaults(description.attributes));
  return { state, records: sought.records, diagnostics: sought.warnings };
}
