import { type ObjectValue, type Path } from "../../../values";
import { Nonconformity } from "../cty/nonconformity";
import { hasErrors } from "../diagnostics";
import { PlanResourceChangeRequest, PlanResourceChangeResponse } from "../messages/resource";
import { decodePrivate, encodePrivate } from "../private-state";
import { type Decoded, type Draft } from "../protobuf/message";
import { type ResourceDefinition } from "../resource";
import { attributePath } from "../schemas/attribute-path";
import { withComputedUnknown } from "../schemas/computed";
import { identityMessage } from "../schemas/identity";
import { planFaults } from "../schemas/plan-faults";
import { withoutWriteOnly } from "../schemas/write-only";
import { changedAttributes } from "./changed-attributes";
import { deferral } from "./deferral";
import { own, rpc, type Answer, type At } from "./rpc";

type Request = Decoded<typeof PlanResourceChangeRequest>;
type Response = Draft<typeof PlanResourceChangeResponse>;

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
  { request, definition, values, call }: At<Request, ResourceDefinition>,
  prior: ObjectValue | null,
): Promise<Answer<Response>> {
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
  { request, definition, values, call }: At<Request, ResourceDefinition>,
  prior: ObjectValue | null,
  config: ObjectValue,
  coreProposes: ObjectValue,
): Promise<Answer<Response>> {
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
