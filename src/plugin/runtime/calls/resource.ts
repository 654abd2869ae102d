/** Answers the calls about resources. */
import {
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  type Value,
} from "../../../values";
import { planFaults, withoutWriteOnly } from "../faults";
import {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
  ReadResourceRequest,
  ReadResourceResponse,
} from "../messages";
import type { Decoded, Draft } from "../protobuf";
import {
  decodePrivate,
  encodePrivate,
  hasErrors,
  type ResourceDefinition,
  type WriteResult,
} from "../provider";
import { type Schema, withComputedUnknown } from "../schema";
import { attributePath } from "../schema-description";
import { Nonconformity } from "../values";
import { identityMessage } from "./identity";
import { type Answer, type At, changedAttributes, deferral, diagnose, own, rpc } from "./rpc";

type PlanRequest = Decoded<typeof PlanResourceChangeRequest>;
type PlanResponse = Draft<typeof PlanResourceChangeResponse>;

export const planResourceChange = rpc({
  request: PlanResourceChangeRequest,
  response: PlanResourceChangeResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),
  failed: (request) => ({
    plannedState: request.priorState,
    plannedPrivate: request.priorPrivate,
  }),

  async handle(at) {
    const { request, definition, values } = at;
    // The configuration comes last: the plan must follow it digit by digit.
    const prior = values.decodeObject(request.priorState, definition.schema);
    const proposed = values.decodeObject(request.proposedNewState, definition.schema);
    const config = values.decodeObject(request.config, definition.schema);
    if (proposed === null || config === null) return planDelete(at, prior);
    return planWrite(at, prior, config, proposed);
  },
});

async function planDelete(
  { request, definition, values, call }: At<PlanRequest, ResourceDefinition>,
  prior: ObjectValue | null,
): Promise<Answer<PlanResponse>> {
  const held = decodePrivate(request.priorPrivate);
  const result = prior === null ? undefined : await definition.planDelete?.({ prior, private: held }, call);
  return {
    plannedState: values.encodeObject(null, definition.schema, { unknowns: false }),
    plannedPrivate: result?.private === undefined ? request.priorPrivate : encodePrivate(result.private),
    plannedIdentity: identityMessage(definition.identity, values, prior),
    diagnostics: result?.diagnostics,
  };
}

async function planWrite(
  { request, definition, values, call }: At<PlanRequest, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  coreProposes: ObjectValue,
): Promise<Answer<PlanResponse>> {
  const { schema } = definition;
  const bare = withoutWriteOnly(schema, coreProposes);
  const proposed = prior === null ? withComputedUnknown(schema, config, bare) : bare;
  const held = decodePrivate(request.priorPrivate);
  const result = (await definition.plan?.({ prior, config, proposed, private: held }, call)) ?? {};
  const { deferred, faults } = deferral(result, call);
  const diagnostics = [...(result.diagnostics ?? []), ...faults];
  if (hasErrors(diagnostics)) return { diagnostics };

  const planned = result.planned ?? proposed;
  const plannedState = values.encodeObject(planned, schema, { unknowns: true });
  refuseFaults(planFaults(schema, prior, config, planned));
  const requiresReplace = [...(result.requiresReplace ?? [])];
  if (prior !== null && definition.update === undefined) {
    requiresReplace.push(...changedAttributes(schema, values, prior, planned));
  }
  return {
    plannedState,
    plannedPrivate: result.private === undefined ? request.priorPrivate : encodePrivate(result.private),
    requiresReplace: requiresReplace.flatMap((path) => attributePath(schema, path) ?? []),
    // An object that is still to be made has none yet.
    plannedIdentity: identityMessage(definition.identity, values, prior),
    deferred,
    diagnostics,
  };
}

function refuseFaults(faults: readonly Path[]): void {
  const [first] = faults;
  if (first !== undefined) throw new Nonconformity(first, "planned as it is configured", "something else");
}

type ApplyRequest = Decoded<typeof ApplyResourceChangeRequest>;
type ApplyResponse = Draft<typeof ApplyResourceChangeResponse>;

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

function keepPrior(request: ApplyRequest): Answer<ApplyResponse> {
  return {
    newState: request.priorState,
    private: request.plannedPrivate,
    newIdentity: request.plannedIdentity,
  };
}

async function applyDelete(
  { request, definition, values, call }: At<ApplyRequest, ResourceDefinition>,
  prior: ObjectValue | null,
): Promise<Answer<ApplyResponse>> {
  const held = decodePrivate(request.plannedPrivate);
  const { diagnostics = [], private: kept } =
    (prior === null ? undefined : await definition.delete({ prior, private: held }, call)) ?? {};
  if (hasErrors(diagnostics)) {
    return { ...keepPrior(request), ...(kept && { private: encodePrivate(kept) }), diagnostics };
  }
  return { newState: values.encodeObject(null, definition.schema, { unknowns: false }), diagnostics };
}

async function applyWrite(
  at: At<ApplyRequest, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): Promise<Answer<ApplyResponse>> {
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
    // An object was made or changed. To report that there is none would lose it.
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
  { request, definition, call }: At<ApplyRequest, ResourceDefinition>,
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
  { values }: At<ApplyRequest, ResourceDefinition>,
  state: ObjectValue | null | undefined,
  schema: Schema,
): ApplyResponse["newState"] {
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

export const readResource = rpc({
  request: ReadResourceRequest,
  response: ReadResourceResponse,
  definition: (provider, { typeName }) => own(provider.resources, typeName),
  failed: (request) => ({
    newState: request.currentState,
    private: request.private,
    newIdentity: request.currentIdentity,
  }),

  async handle({ request, definition, values, call }) {
    const unchanged = {
      newState: request.currentState,
      private: request.private,
      newIdentity: request.currentIdentity,
    };
    const state = values.decodeObject(request.currentState, definition.schema);
    if (state === null) return unchanged;
    const result = await definition.read({ state, private: decodePrivate(request.private) }, call);
    const { deferred, faults } = deferral(result, call);
    return {
      newState:
        result.state === undefined
          ? unchanged.newState
          : values.encodeObject(result.state, definition.schema, { unknowns: false }),
      private: result.private === undefined ? unchanged.private : encodePrivate(result.private),
      newIdentity:
        result.state === undefined
          ? unchanged.newIdentity
          : identityMessage(definition.identity, values, result.state),
      deferred,
      diagnostics: [...(result.diagnostics ?? []), ...faults],
    };
  },
});
