import { type ObjectValue } from "../../../values";
import { type Diagnostic, hasErrors } from "../diagnostics";
import { ImportResourceStateRequest, ImportResourceStateResponse } from "../messages/resource";
import { encodePrivate } from "../private-state";
import { type Decoded } from "../protobuf/message";
import { type ImportedObject, type ResourceDefinition } from "../resource";
import { decodeIdentity, identityMessage } from "../schemas/identity";
import { deferral } from "./deferral";
import { own, rpc, type At } from "./rpc";

type Request = Decoded<typeof ImportResourceStateRequest>;

export const importResourceState = rpc({
  request: ImportResourceStateRequest,
  response: ImportResourceStateResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),

  async handle(at) {
    const { request, definition, values, call } = at;
    const { typeName } = request;
    if (definition.import === undefined) return { diagnostics: [noImport(typeName)] };
    const identity = writtenIdentity(at);
    const id = identity === undefined ? request.id : (definition.identity?.idFor(identity) ?? "");
    const result = await definition.import(id, call);
    const { deferred, faults } = deferral(result, call);
    const imported = result.imported ?? [];
    const diagnostics = [...(result.diagnostics ?? []), ...faults];
    if (imported.length === 0 && deferred === undefined && !hasErrors(diagnostics)) {
      diagnostics.push(nothingFound(typeName, id));
    }
    if (identity !== undefined) diagnostics.push(...contradictions(definition, identity, imported));
    return {
      importedResources: imported.map((object) => ({
        typeName,
        state: values.encodeObject(object.state, definition.schema, { unknowns: false, lacking: "null" }),
        private: encodePrivate(object.private ?? {}),
        identity: identityMessage(definition.identity, values, object.state),
      })),
      deferred,
      diagnostics,
    };
  },
});

/** Undefined where the object is called by its id. */
function writtenIdentity({ request, definition, values }: At<Request, ResourceDefinition>) {
  return definition.identity && decodeIdentity(definition.identity, values, request.identity);
}

/** What the user wrote of an identity besides what the object was found by must be true of it, too. */
function contradictions(
  { identity }: ResourceDefinition,
  written: ObjectValue,
  imported: readonly ImportedObject[],
): readonly Diagnostic[] {
  return imported.flatMap(({ state }) => {
    const actual = identity?.of(state) ?? {};
    return Object.keys(written)
      .filter((name) => (written[name] ?? null) !== null && written[name] !== actual[name])
      .map((name) => contradiction(name, written[name], actual[name]));
  });
}

function contradiction(name: string, written: unknown, actual: unknown): Diagnostic {
  return {
    severity: "error",
    summary: "The identity is not that of one object",
    detail: `The object that was found has ${name} ${JSON.stringify(actual)}, and the identity says ${JSON.stringify(written)}. Leave ${name} out, or correct it.`,
  };
}

function noImport(typeName: string): Diagnostic {
  return { severity: "error", summary: `${typeName} cannot be imported` };
}

function nothingFound(typeName: string, id: string): Diagnostic {
  return { severity: "error", summary: `There is no ${typeName} "${id}" to import` };
}
