/** Answers the calls that bring an object into the state: by import, from an older schema, or from another type. */
import { isObject, type ObjectValue } from "../../../values";
import {
  ImportResourceStateRequest,
  ImportResourceStateResponse,
  MoveResourceStateRequest,
  MoveResourceStateResponse,
  UpgradeResourceIdentityRequest,
  UpgradeResourceIdentityResponse,
  UpgradeResourceStateRequest,
  UpgradeResourceStateResponse,
} from "../messages";
import type { Decoded, Draft } from "../protobuf";
import {
  decodePrivate,
  type Diagnostic,
  encodePrivate,
  hasErrors,
  type ImportedObject,
  type ResourceDefinition,
} from "../provider";
import { typeOfBlock } from "../schema";
import { Nonconformity } from "../values";
import { decodeIdentity, encodeIdentity, identityMessage, typeOfIdentity } from "./identity";
import { type Answer, type At, deferral, own, rpc } from "./rpc";

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

/** The found object must have every value of the identity that the user wrote. */
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

type UpgradeRequest = Decoded<typeof UpgradeResourceStateRequest>;
type UpgradeResponse = Draft<typeof UpgradeResourceStateResponse>;

/** Called at every plan, usually for a state that is of this version already. */
export const upgradeResourceState = rpc({
  request: UpgradeResourceStateRequest,
  response: UpgradeResourceStateResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),

  async handle(at) {
    const { request, definition, values } = at;
    const { json, flatmap } = request.rawState ?? { json: new Uint8Array(), flatmap: [] };
    if (flatmap.length > 0)
      throw new Error("the state was stored by Terraform 0.11 or older, and cannot be read");
    const current = definition.schema.version ?? 0;
    if (request.version > current) throw new Error("the state was stored by a newer version of the provider");
    if (request.version < current) return upgrade(at, json);
    const state = values.fromJson(json, typeOfBlock(definition.schema)) as ObjectValue | null;
    return { upgradedState: values.encodeObject(state, definition.schema, { unknowns: false }) };
  },
});

async function upgrade(
  { request, definition, values, call }: At<UpgradeRequest, ResourceDefinition>,
  json: Uint8Array,
): Promise<Answer<UpgradeResponse>> {
  const { version, typeName } = request;
  const stored = values.parse(json);
  if (definition.upgrade === undefined || !isObject(stored)) {
    throw new Error(
      `the stored state of ${typeName} has schema version ${version}, from which there is no upgrade`,
    );
  }
  const { state, diagnostics = [] } = await definition.upgrade({ version, state: stored }, call);
  if (hasErrors(diagnostics)) return { diagnostics };
  if (state === undefined) throw new Nonconformity([], "the upgraded state", "missing");
  return { upgradedState: values.encodeObject(state, definition.schema, { unknowns: false }), diagnostics };
}

/** No identity has changed its form so far: what is stored is read by the schema that there is. */
export const upgradeResourceIdentity = rpc({
  request: UpgradeResourceIdentityRequest,
  response: UpgradeResourceIdentityResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),

  async handle({ request: { typeName, version, rawIdentity }, definition: { identity }, values }) {
    const current = identity?.version ?? 0;
    if (identity === undefined) throw new Error(`${typeName} has no identity`);
    if (version > current) throw new Error("the identity was stored by a newer version of the provider");
    if (version < current)
      throw new Error(
        `the stored identity of ${typeName} has version ${version}, from which there is no upgrade`,
      );
    const stored = values.fromJson(rawIdentity?.json ?? new Uint8Array(), typeOfIdentity(identity));
    if (!isObject(stored)) throw new Error(`the stored identity of ${typeName} is no object`);
    return { upgradedIdentity: encodeIdentity(identity, values, stored) };
  },
});

type MoveRequest = Decoded<typeof MoveResourceStateRequest>;

export const moveResourceState = rpc({
  request: MoveResourceStateRequest,
  response: MoveResourceStateResponse,
  definition: (provider, { targetTypeName }) => own(provider.resources, targetTypeName),

  async handle({ request, definition, values, call }) {
    const result = await definition.move?.(
      {
        sourceProvider: request.sourceProviderAddress,
        sourceType: request.sourceTypeName,
        sourceVersion: request.sourceSchemaVersion,
        sourceState: values.parse(request.sourceState?.json ?? new Uint8Array()),
        sourcePrivate: decodePrivate(request.sourcePrivate),
      },
      call,
    );
    if (result === undefined) return { diagnostics: [noMove(request)] };
    const { state, diagnostics = [] } = result;
    if (hasErrors(diagnostics)) return { diagnostics };
    if (state === undefined) throw new Nonconformity([], "the state after the move", "missing");
    return {
      targetState: values.encodeObject(state, definition.schema, { unknowns: false }),
      targetPrivate: encodePrivate(result.private ?? {}),
      targetIdentity: identityMessage(definition.identity, values, state),
      diagnostics,
    };
  },
});

function noMove({ sourceTypeName, sourceProviderAddress, targetTypeName }: MoveRequest): Diagnostic {
  return {
    severity: "error",
    summary: `${sourceTypeName} cannot become ${targetTypeName}`,
    detail: `${targetTypeName} takes over no state of ${sourceTypeName} from ${sourceProviderAddress}.`,
  };
}
