import { type Diagnostic, hasErrors } from "../diagnostics";
import { ImportResourceStateRequest, ImportResourceStateResponse } from "../messages/resource";
import { encodePrivate } from "../private-state";
import { deferral } from "./deferral";
import { own, rpc } from "./rpc";

export const importResourceState = rpc({
  request: ImportResourceStateRequest,
  response: ImportResourceStateResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),

  async handle({ request: { typeName, id }, definition, values, call }) {
    if (definition.import === undefined) return { diagnostics: [noImport(typeName)] };
    const result = await definition.import(id, call);
    const { deferred, faults } = deferral(result, call);
    const imported = result.imported ?? [];
    const diagnostics = [...(result.diagnostics ?? []), ...faults];
    if (imported.length === 0 && deferred === undefined && !hasErrors(diagnostics)) {
      diagnostics.push(nothingFound(typeName, id));
    }
    return {
      importedResources: imported.map((object) => ({
        typeName,
        state: values.encodeObject(object.state, definition.schema, { unknowns: false, lacking: "null" }),
        private: encodePrivate(object.private ?? {}),
      })),
      deferred,
      diagnostics,
    };
  },
});

function noImport(typeName: string): Diagnostic {
  return { severity: "error", summary: `${typeName} cannot be imported` };
}

function nothingFound(typeName: string, id: string): Diagnostic {
  return { severity: "error", summary: `There is no ${typeName} "${id}" to import` };
}
