/** Taking in an object that exists. */
import { InvalidValue, NotImportable } from "../../../errors";
import type { ObjectValue, Value } from "../../../values";
import type { Identity, ImportResult } from "../../runtime";
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

/**
 * What stays the same for a record's whole life. Names do not: others may rename an account, and then each login in it changes. Nor does a
 * uuid: the service lets others change it, and a user may declare another one. Either member says which record is meant.
 */
export const recordIdentity: Identity = {
  attributes: {
    id: { type: "string", description: "Id at this service, of the form `<type>:<n>:<n>`." },
    serial: { type: "string", description: "Serial number." },
  },
  of: ({ id = null, serial = null }) => ({ id, serial }),
  idFor: wantedRecord,
};

/** @throws InvalidValue */
function wantedRecord({ id, serial }: ObjectValue): string {
  const wanted = given(serial) ?? given(id);
  if (wanted !== undefined) return wanted;
  throw new InvalidValue("an identity needs id or serial", {
    advice:
      "Write at least one of them. To import by name or login, write `id = ` in the import block itself, without `identity`.",
  });
}

function given(value: Value | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
