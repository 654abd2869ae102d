/** Import blocks: each must name the very record that the configuration declares. */
import { ImportMismatch, NoSuchObject, type Diagnostic } from "../../errors";
import type { Inventory, Sought } from "../../resources";
import type { Declared } from "./planned-object";

/**
 * @param importId id, serial or natural key
 * @param sought what was found of the declared object
 * @returns warnings that taking it in earns
 * @throws NoSuchObject, ImportMismatch, and the error of what nothing may be done with
 */
export function adopt(
  { target, resource }: Declared,
  inventory: Inventory,
  importId: string,
  sought: Sought,
): readonly Diagnostic[] {
  const { noun } = resource.description;
  const found = inventory.locateById(importId, target.snapshot, target.owners);
  if (found.kind === "refused") throw found.error;
  const isLive = sought.kind === "live";
  if (found.kind !== "live") {
    // The block stays in the code; once the object is provably ours, it no longer matters what it names.
    if (isLive && sought.claim === "ours") return [];
    throw new NoSuchObject(noun, `the id, serial or name ${JSON.stringify(importId)}`);
  }
  if (isLive && found.records.self["id"] === sought.records.self["id"]) return found.warnings;
  const declaredAs = isLive ? inventory.textOf(sought.key) : undefined;
  throw new ImportMismatch(noun, importId, inventory.textOf(found.key), declaredAs);
}
