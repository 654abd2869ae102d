/** `new Removed(…)`: what it means among the live records, and whether that may go. */
import {
  asWarning,
  RemovedAndDeclared,
  RemovedForeign,
  RemovedIsGone,
  type Diagnostic,
} from "../../../errors";
import { madeByOther } from "../../../ownership";
import type { LiveObject } from "../../../resources";
import { text } from "../../../resources/record/members";
import type { Removed } from "../../../stack";
import { keyText } from "../key-text";
import type { Target } from "../target";
import type { Declarations } from "./declarations";
import { idOf, inventoryOf, type RecordKind } from "./prune";

export interface Removal {
  readonly kind: RecordKind;
  /** Undefined where there is nothing to delete, or it may not be. */
  readonly found: LiveObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function removalOf(removed: Removed, target: Target, declarations: Declarations): Removal {
  const kind: RecordKind = removed.account === undefined ? "user_profile" : "account";
  const wanted = removed.account ?? removed.login ?? "";
  const where = removed.path === undefined ? {} : { constructPath: removed.path };
  const inventory = inventoryOf(kind);
  const found = inventory.locateById(removed.id ?? removed.serial ?? wanted, target.snapshot, target.owners);
  const nothing = (diagnostics: readonly Diagnostic[] = []) => ({ kind, found: undefined, diagnostics });
  if (declarations.comes(`tenancy_${kind}`, wanted) !== undefined)
    return nothing(new RemovedAndDeclared(wanted, where).toDiagnostics());
  if (found.kind === "absent") {
    const named = inventory.locateById(wanted, target.snapshot, target.owners);
    // The id is another's: who bears the name now was not meant, or the id is wrong.
    if (named.kind === "live" && named.proof === undefined)
      return nothing(new RemovedForeign(wanted, idOf(named.records), true, where).toDiagnostics());
    const isGone =
      inventory.doubt(undefined, target.snapshot) === undefined && target.incomplete === undefined;
    return nothing(isGone ? asWarning(new RemovedIsGone(wanted, where)) : []);
  }
  if (found.kind === "refused") return nothing(found.error.toDiagnostics(where));
  if (found.kind !== "live") return nothing();
  const id = idOf(found.records);
  const isNamed = keyText(found.key) === wanted.normalize("NFC");
  if (!isNamed || !mayGo(found, removed, target))
    return nothing(new RemovedForeign(wanted, id, isNamed, where).toDiagnostics());
  if (declarations.stays(`tenancy_${kind}`, id) !== undefined)
    return nothing(new RemovedAndDeclared(wanted, where).toDiagnostics());
  return { kind, found, diagnostics: [] };
}

/** Ours by its uuid; or not, and then the user says which one it is, and no other owner made it. */
function mayGo({ records, key, proof }: LiveObject, { id, serial }: Removed, { owners }: Target): boolean {
  if (proof !== undefined) return true;
  const isIdentified = id !== undefined || serial !== undefined;
  return isIdentified && !madeByOther(text(records.self["uuid"]) ?? "", key, owners);
}
