/** Taking in an object that exists. */
import { NotImportable } from "../../../errors";
import type { ImportResult } from "../../runtime";
import { toTerraform } from "../findings";
import { heldOf } from "../notes";
import type { Bound } from ".";
import { sequenceIn } from "./sequence";

/** @throws NotImportable, ProviderNotYetKnown, NoSuchObject, … */
export async function importObject({ resource, service }: Bound, id: string): Promise<ImportResult> {
  if (resource.import === undefined) throw new NotImportable(resource.description.type);
  const outcome = await resource.import(service.required("so nothing can be imported"), id);
  const { state, diagnostics } = outcome;
  return {
    imported: [{ state, private: heldOf({ imported: true, seq: sequenceIn(resource, outcome) }) }],
    diagnostics: toTerraform(diagnostics),
  };
}
