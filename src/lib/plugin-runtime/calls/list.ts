/** Answers `terraform query`: a stream of the objects that exist. */
import type { Method } from "../grpc";
import { messagesOf } from "../messages";
import type { ListedObject } from "../provider";
import { identityMessage } from "./import";
import {
  callOf,
  decodeObjectMessage,
  diagnosticsOfError,
  diagnosticMessage,
  encodeObject,
  type Host,
  listResourceFor,
  resourceFor,
} from "./rpc";

const { request: listRequest, response: listEvent } = messagesOf("ListResource");

export const listResource = (host: Host): Method =>
  async function* (bytes, context) {
    const request = listRequest.decode(bytes);
    const provider = await host.provider();
    const definition = listResourceFor(provider, request);
    const resource = resourceFor(provider, request);
    const call = callOf(host, context);

    const eventOf = ({ displayName, state, diagnostics = [] }: ListedObject) => {
      const isAsked = request.includeResourceObject && state !== null && resource !== undefined;
      return listEvent.encode({
        displayName,
        identity: identityMessage(resource?.identity, state),
        resourceObject: isAsked
          ? encodeObject(state, resource.schema, { unknowns: false, lacking: "null" })
          : undefined,
        diagnostic: diagnostics.map((one) => diagnosticMessage(one, definition?.schema)),
      });
    };
    try {
      if (definition === undefined) throw new Error("the provider has no such list resource");
      const config = decodeObjectMessage(request.config, definition.schema) ?? {};
      let count = 0;
      for await (const object of definition.list(config, call)) {
        yield eventOf(object);
        if (object.state !== null) count += 1;
        if (request.limit > 0 && count >= request.limit) return;
      }
    } catch (error) {
      yield eventOf({ displayName: "", state: null, diagnostics: diagnosticsOfError(error, provider, call) });
    }
  };
