/** Answers the calls that lead an object through its life: its stored state, and how it is read, planned and changed. */
import {
  emptyObject,
  isList,
  isObject,
  isUnknown,
  type ObjectValue,
  type Path,
  type TerraformSchema,
  type Value,
} from "../../values";
import type { ResourceDefinition, WriteResult } from "../provider";
import { planFaults, schemaType, withComputedUnknown, withoutWriteOnly } from "../schema";
import { encodeValue, Nonconformity } from "../values";
import { identityMessage } from "./import";
import {
  type Answer,
  type At,
  attributePathMessage,
  decodeJson,
  decodeObjectMessage,
  decodePrivate,
  diagnosticsOfError,
  encodeObject,
  encodePrivate,
  hasErrors,
  type RequestOf,
  resourceFor,
  rpc,
} from "./rpc";

/** Called at every plan. States have kept their form so far, so one of another version has no upgrade. */
export const upgradeResourceState = rpc({
  name: "UpgradeResourceState",
  definition: resourceFor,

  handle({ request: { version, typeName, rawState }, definition: { schema } }) {
    if (version !== schema.version || rawState === null || rawState.json.length === 0)
      throw new Error(
        `the stored state of ${typeName} is of schema version ${version}, from which there is no upgrade`,
      );
    const state = decodeJson(rawState.json, schemaType(schema)) as ObjectValue | null;
    return Promise.resolve({ upgradedState: encodeObject(state, schema, { unknowns: false }) });
  },
});

export const readResource = rpc({
  name: "ReadResource",
  definition: resourceFor,
  failed: asBefore,

  async handle({ request, definition, call }) {
    const { schema, identity } = definition;
    const before = decodeObjectMessage(request.currentState, schema);
    if (before === null) return asBefore(request);
    const result = await definition.read({ state: before, private: decodePrivate(request.private) }, call);
    const { state, diagnostics, private: privateState } = result;
    return {
      ...asBefore(request),
      ...(state !== undefined && {
        newState: encodeObject(state, schema, { unknowns: false }),
        newIdentity: identityMessage(identity, state),
      }),
      ...(privateState !== undefined && { private: encodePrivate(privateState) }),
      diagnostics,
    };
  },
});

function asBefore(request: RequestOf<"ReadResource">) {
  return {
    newState: request.currentState,
    private: request.private,
    newIdentity: request.currentIdentity,
  };
}

// Plans.

type PlanCall = RequestOf<"PlanResourceChange">;

export const planResourceChange = rpc({
  name: "PlanResourceChange",
  definition: resourceFor,
  failed: (request) => ({
    plannedState: request.priorState,
    plannedPrivate: request.priorPrivate,
  }),

  async handle(at) {
    const { request, definition } = at;
    const prior = decodeObjectMessage(request.priorState, definition.schema);
    const proposed = decodeObjectMessage(request.proposedNewState, definition.schema);
    const config = decodeObjectMessage(request.config, definition.schema);
    if (proposed === null || config === null) return answerDeletePlan(at, prior);
    return planWrite(at, prior, config, proposed);
  },
});

async function answerDeletePlan(
  { request, definition, call }: At<PlanCall, ResourceDefinition>,
  prior: ObjectValue | null,
): Promise<Answer<"PlanResourceChange">> {
  const privateState = decodePrivate(request.priorPrivate);
  const result =
    prior === null ? undefined : await definition.planDelete?.({ prior, private: privateState }, call);
  return {
    plannedState: encodeObject(null, definition.schema, { unknowns: false }),
    plannedPrivate: result?.private === undefined ? request.priorPrivate : encodePrivate(result.private),
    plannedIdentity: identityMessage(definition.identity, prior),
    diagnostics: result?.diagnostics,
  };
}

async function planWrite(
  { request, definition, call }: At<PlanCall, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  coreProposes: ObjectValue,
): Promise<Answer<"PlanResourceChange">> {
  const { schema } = definition;
  const bare = withoutWriteOnly(schema, coreProposes);
  const proposed = prior === null ? withComputedUnknown(schema, config, bare) : bare;
  const priorPrivate = decodePrivate(request.priorPrivate);
  const result = (await definition.plan?.({ prior, config, proposed, private: priorPrivate }, call)) ?? {};
  const { planned = proposed, requiresReplace = [], diagnostics = [], private: plannedPrivate } = result;
  if (hasErrors(diagnostics)) return { diagnostics };

  const plannedState = encodeObject(planned, schema, { unknowns: true });
  const [fault] = planFaults(schema, prior, config, planned);
  if (fault !== undefined) throw new Nonconformity(fault, "planned as it is configured", "something else");
  const changedPaths =
    prior !== null && definition.update === undefined ? changedAttributes(schema, prior, planned) : [];
  return {
    plannedState,
    plannedPrivate: plannedPrivate === undefined ? request.priorPrivate : encodePrivate(plannedPrivate),
    requiresReplace: [...requiresReplace, ...changedPaths].flatMap(
      (path) => attributePathMessage(schema, path) ?? [],
    ),
    // An object that is still to be made has none yet.
    plannedIdentity: identityMessage(definition.identity, prior),
    diagnostics,
  };
}

/** The attributes that the plan changes, by the same comparison as core's. */
function changedAttributes(
  schema: TerraformSchema,
  prior: ObjectValue,
  planned: ObjectValue,
): readonly Path[] {
  const [before, after] = [withoutWriteOnly(schema, prior), withoutWriteOnly(schema, planned)];
  return Object.entries(schemaType(schema)[1]).flatMap(([name, type]) => {
    const [one, other] = [before, after].map((object) =>
      encodeValue(object[name] ?? null, type, { unknowns: true }),
    ) as [Buffer, Buffer];
    return one.equals(other) ? [] : [[name]];
  });
}

// Applies.

type ApplyCall = RequestOf<"ApplyResourceChange">;

export const applyResourceChange = rpc({
  name: "ApplyResourceChange",
  definition: resourceFor,
  failed: keepPrior,

  async handle(at) {
    const { request, definition } = at;
    const prior = decodeObjectMessage(request.priorState, definition.schema);
    const config = decodeObjectMessage(request.config, definition.schema);
    const planned = decodeObjectMessage(request.plannedState, definition.schema);
    if (planned === null) return answerDelete(at, prior);
    return applyWrite(at, prior, config ?? {}, withoutWriteOnly(definition.schema, planned));
  },
});

function keepPrior(request: ApplyCall): Answer<"ApplyResourceChange"> {
  return {
    newState: request.priorState,
    private: request.plannedPrivate,
    newIdentity: request.plannedIdentity,
  };
}

async function answerDelete(
  { request, definition, call }: At<ApplyCall, ResourceDefinition>,
  prior: ObjectValue | null,
): Promise<Answer<"ApplyResourceChange">> {
  const privateState = decodePrivate(request.plannedPrivate);
  const result = prior === null ? undefined : await definition.delete({ prior, private: privateState }, call);
  const diagnostics = result?.diagnostics ?? [];
  if (hasErrors(diagnostics)) return { ...keepPrior(request), diagnostics };
  return { newState: encodeObject(null, definition.schema, { unknowns: false }), diagnostics };
}

async function applyWrite(
  at: At<ApplyCall, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): Promise<Answer<"ApplyResourceChange">> {
  const { request, provider, call } = at;
  const { schema, identity } = at.definition;
  const result = await answerWrite(at, prior, config, planned);
  const { state, diagnostics = [] } = result;
  const privateBytes = result.private === undefined ? request.plannedPrivate : encodePrivate(result.private);
  if (state === undefined && hasErrors(diagnostics)) {
    return { ...keepPrior(request), private: privateBytes, diagnostics };
  }
  try {
    if (state === undefined) throw new Nonconformity([], "the new state", "missing");
    return {
      newState: encodeObject(state, schema, { unknowns: false }),
      private: privateBytes,
      newIdentity: identityMessage(identity, state),
      diagnostics,
    };
  } catch (error) {
    // An object was made or changed. To report that there is none would lose it.
    const newState =
      prior === null ? encodeObject(onlyKnown(planned), schema, { unknowns: false }) : request.priorState;
    return {
      ...keepPrior(request),
      newState,
      private: privateBytes,
      diagnostics: [...diagnostics, ...diagnosticsOfError(error, provider, call)],
    };
  }
}

async function answerWrite(
  { request, definition, call }: At<ApplyCall, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  planned: ObjectValue,
): Promise<WriteResult> {
  const privateState = decodePrivate(request.plannedPrivate);
  if (prior === null) return definition.create({ config, planned, private: privateState }, call);
  if (definition.update === undefined) throw new Error("objects of this type cannot be changed in place");
  return definition.update({ prior, config, planned, private: privateState }, call);
}

/** The value with null in place of unknown parts. */
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
