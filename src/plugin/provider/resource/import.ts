/** Taking in an object that exists. */
import { NotImportable } from "../../../errors";
import type { ImportResult } from "../../runtime";
import { toTerraform } from "../findings";
import { heldOf } from "../notes";
import type { Bound } from ".";
import { grantedOf } from "./declared";
import { sequenceIn } from "./sequence";

/** @throws NotImportable, ProviderNotYetKnown, NoSuchObject, … */
export async function importObject({ resource, service }: Bound, id: string): Promise<ImportResult> {
  if (resource.import === undefined) throw new NotImportable(resource.description.type);
  const outcome = await resource.import(service.required("so nothing can be imported"), id);
  const { state, diagnostics } = outcome;
  const { attributes } = resource.description;
  const granted = grantedOf(attributes, outcome);
  const notes = { imported: true, seq: sequenceIn(resource, outcome), granted };
  return {
    imported: [{ state, private: heldOf("permissions" in attributes ? { ...notes, rights: [] } : notes) }],
    diagnostics: toTerraform(diagnostics),
  };
}
