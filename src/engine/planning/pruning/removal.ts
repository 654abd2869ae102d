/** `new Removed(…)`: what it means among the live records, and whether that may go. */
import {
  asWarning,
  RemovedAndDeclared,
  RemovedForeign,
  RemovedIsGone,
  type Diagnostic,
} from "../../../errors";
import { strangerOf } from "../../../ownership";
import type { LiveObject } from "../../../resources";
import { text } from "../../../resources/record/members";
import type { Removed } from "../../../stack";
import { listedFamilies, type ListedFamily } from "../families";
import type { Target } from "../target";
import type { Declarations } from "./declarations";
import { idOf } from "./prune";

export interface Removal {
  readonly family: ListedFamily;
  /** Undefined where there is nothing to delete, or it may not be. */
  readonly found: LiveObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function removalOf(removed: Removed, target: Target, declarations: Declarations): Removal {
  const family = familyOf(removed);
  const { inventory } = family;
  const { type } = family.resource.description;
  const wanted = removed.account ?? removed.login ?? "";
  const where = removed.path === undefined ? {} : { constructPath: removed.path };
  const found = inventory.locateById(removed.id ?? removed.serial ?? wanted, target.snapshot, target.owners);
  const nothing = (diagnostics: readonly Diagnostic[] = []) => ({ family, found: undefined, diagnostics });
  if (declarations.comes(type, wanted) !== undefined)
    return nothing(new RemovedAndDeclared(wanted, where).toDiagnostics());
  if (found.kind === "absent") {
    const named = inventory.locateById(wanted, target.snapshot, target.owners);
    // The id is another's: who bears the name now was not meant, or the id is wrong.
    if (named.kind === "refused") return nothing(named.error.toDiagnostics(where));
    if (named.kind === "live" && named.proof === undefined)
      return nothing(new RemovedForeign(wanted, idOf(named.records), true, where).toDiagnostics());
    const isGone =
      inventory.doubt(undefined, target.snapshot) === undefined && target.incomplete === undefined;
    return nothing(isGone ? asWarning(new RemovedIsGone(wanted, where)) : []);
  }
  if (found.kind === "refused") return nothing(found.error.toDiagnostics(where));
  if (found.kind !== "live") return nothing();
  const id = idOf(found.records);
  const isNamed = inventory.textOf(found.key) === wanted.normalize("NFC");
  if (!isNamed || !mayGo(found, removed, target))
    return nothing(new RemovedForeign(wanted, id, isNamed, where).toDiagnostics());
  if (declarations.stays(type, id) !== undefined)
    return nothing(new RemovedAndDeclared(wanted, where).toDiagnostics());
  return { family, found, diagnostics: found.warnings.map((warning) => ({ ...warning, ...where })) };
}

/** The stack reader has seen to it that exactly one of the members names what goes. */
function familyOf(removed: Removed): ListedFamily {
  const found = listedFamilies().find(
    ({ inventory: { removedBy } }) => removedBy !== undefined && removed[removedBy] !== undefined,
  );
  if (found === undefined) throw new TypeError("what is removed belongs to no family");
  return found;
}

/** Ours by its uuid; or not, and then the user says which one it is, and no other owner is known to have made it. */
function mayGo({ records, key, proof }: LiveObject, { id, serial }: Removed, { owners }: Target): boolean {
  if (proof !== undefined) return true;
  const isIdentified = id !== undefined || serial !== undefined;
  const stranger = strangerOf(text(records.self["uuid"]) ?? "", key, owners);
  return isIdentified && (stranger === "nobody known" || stranger === "unknown key");
}
