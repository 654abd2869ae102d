import { emptyObject, isList, isObject, isUnknown, type ObjectValue, type Value } from "../../../values";
import { Nonconformity } from "../cty/nonconformity";
import { hasErrors } from "../diagnostics";
import { ApplyResourceChangeRequest, ApplyResourceChangeResponse } from "../messages/resource";
import { decodePrivate, encodePrivate } from "../private-state";
import { type Decoded, type Draft } from "../protobuf/message";
import { type ResourceDefinition, type WriteResult } from "../resource";
import { identityMessage } from "../schemas/identity";
import { type Schema } from "../schemas/schema";
import { withoutWriteOnly } from "../schemas/write-only";
import { diagnose, own, rpc, type Answer, type At } from "./rpc";

type Request = Decoded<typeof ApplyResourceChangeRequest>;
type Response = Draft<typeof ApplyResourceChangeResponse>;

export const applyResourceChange = rpc({
  request: ApplyResourceChangeRequest,
  response: ApplyResourceChangeResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),
  failed: keepPrior,

  async handle(at) {
    const { request, definition, values } = at;
    // The plan comes last: the new state must follow it digit by digit.
    const prior = values.decodeObject(request.priorState, definition.schema);
    const config = values.decodeObject(request.config, definition.schema);
    const planned = values.decodeObject(request.plannedState, definition.schema);
    if (planned === null) return applyDelete(at, prior);
    return applyWrite(at, prior, config ?? {}, withoutWriteOnly(definition.schema, planned));
  },
});

function keepPrior(request: Request): Answer<Response> {
  return {
    newState: request.priorState,
    private: request.plannedPrivate,
    newIdentity: request.plannedIdentity,
  };
}

async function applyDelete(
  { request, definition, values, call }: At<Request, ResourceDefinition>,
  prior: ObjectValue | null,
): Promise<Answer<Response>> {
  const held = decodePrivate(request.plannedPrivate);
  const { diagnostics = [], private: kept } =
    (prior === null ? undefined : await definition.delete({ prior, private: held }, call)) ?? {};
  if (hasErrors(diagnostics)) {
    return { ...keepPrior(request), ...(kept && { private: encodePrivate(kept) }), diagnostics };
  }
  return { newState: values.encodeObject(null, definition.schema, { unknowns: false }), diagnostics };
}

async function applyWrite(
  at: At<Request, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): Promise<Answer<Response>> {
  const { request, definition, provider, call } = at;
  const result = await write(at, prior, config, planned);
  const kept = result.private === undefined ? request.plannedPrivate : encodePrivate(result.private);
  const diagnostics = result.diagnostics ?? [];
  if (result.state === undefined && hasErrors(diagnostics)) {
    return { ...keepPrior(request), private: kept, diagnostics };
  }
  try {
    return {
      newState: encodeState(at, result.state, definition.schema),
      private: kept,
      newIdentity: identityMessage(definition.identity, at.values, result.state),
      diagnostics,
    };
  } catch (error) {
    // Something was made, or changed. To say that there is nothing would lose it.
    const newState =
      prior === null ? encodeState(at, onlyKnown(planned), definition.schema) : request.priorState;
    return {
      newState,
      private: kept,
      newIdentity: request.plannedIdentity,
      diagnostics: [...diagnostics, ...diagnose(error, provider, call)],
    };
  }
}

async function write(
  { request, definition, call }: At<Request, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): Promise<WriteResult<Schema>> {
  const held = decodePrivate(request.plannedPrivate);
  if (prior === null) return definition.create({ config, planned, private: held }, call);
  if (definition.update === undefined) throw new Error("objects of this type cannot be changed in place");
  return definition.update({ prior, config, planned, private: held }, call);
}

function encodeState(
  { values }: At<Request, ResourceDefinition>,
  state: ObjectValue | null | undefined,
  schema: Schema,
): Response["newState"] {
  if (state === undefined) throw new Nonconformity([], "the new state", "missing");
  return values.encodeObject(state, schema, { unknowns: false });
}

/** The value with null for all that is unknown. */
function onlyKnown(object: ObjectValue): ObjectValue {
  const result = emptyObject();
  for (const [name, member] of Object.entries(object)) result[name] = knownPart(member);
  return result;
}

function knownPart(value: Value): Value {
  if (isUnknown(value)) return null;
  if (isList(value)) return value.map(knownPart);
  return isObject(value) ? onlyKnown(value) : value;
}
