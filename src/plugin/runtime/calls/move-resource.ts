import { Nonconformity } from "../cty/nonconformity";
import { hasErrors, type Diagnostic } from "../diagnostics";
import { MoveResourceStateRequest, MoveResourceStateResponse } from "../messages/resource";
import { decodePrivate, encodePrivate } from "../private-state";
import { type Decoded } from "../protobuf/message";
import { identityMessage } from "../schemas/identity";
import { own, rpc } from "./rpc";

type Request = Decoded<typeof MoveResourceStateRequest>;

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

function noMove({ sourceTypeName, sourceProviderAddress, targetTypeName }: Request): Diagnostic {
  return {
    severity: "error",
    summary: `${sourceTypeName} cannot become ${targetTypeName}`,
    detail: `${targetTypeName} takes over no state of ${sourceTypeName} from ${sourceProviderAddress}.`,
  };
}
