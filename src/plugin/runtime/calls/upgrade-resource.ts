import { isObject, type ObjectValue } from "../../../values";
import { hasErrors } from "../diagnostics";
import {
  UpgradeResourceIdentityRequest,
  UpgradeResourceIdentityResponse,
  UpgradeResourceStateRequest,
  UpgradeResourceStateResponse,
} from "../messages/resource";
import { type Decoded, type Draft } from "../protobuf/message";
import { type ResourceDefinition } from "../resource";
import { encodeIdentity, typeOfIdentity } from "../schemas/identity";
import { typeOfBlock } from "../schemas/schema-type";
import { Nonconformity } from "../cty/nonconformity";
import { own, rpc, type Answer, type At } from "./rpc";

type Request = Decoded<typeof UpgradeResourceStateRequest>;
type Response = Draft<typeof UpgradeResourceStateResponse>;

/** Comes at every plan, and mostly for a state that is of this version already. */
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
  { request, definition, values, call }: At<Request, ResourceDefinition>,
  json: Uint8Array,
): Promise<Answer<Response>> {
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
