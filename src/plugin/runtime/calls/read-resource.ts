import { ReadResourceRequest, ReadResourceResponse } from "../messages/resource";
import { decodePrivate, encodePrivate } from "../private-state";
import { deferral } from "./deferral";
import { own, rpc } from "./rpc";
import { identityMessage } from "../schemas/identity";

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
