/** Answers `terraform query`: a stream of the objects that exist. */
import { calls } from "../generated/tfplugin6";
import type { Method } from "../grpc";
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

const { request: listRequest, response: listEvent } = calls.ListResource;

export const listResource = (host: Host): Method =>
  async function* (bytes, context) {
    const request = listRequest.decode(bytes);
    const provider = await host.provider();
    const definition = listResourceFor(provider, request);
    const resource = resourceFor(provider, request);
    const call = callOf(host, context);

    const eventOf = ({ displayName, state, diagnostics = [] }: ListedObject) => {
      const isAsked = request.includeResourceObject && state !== null && resource !== undefined;
      const event = {
        displayName,
        identity: identityMessage(resource?.identity, state),
        resourceObject: isAsked
          ? encodeObject(state, resource.schema, { unknowns: false, lacking: "null" })
          : undefined,
        diagnostic: diagnostics.map((one) => diagnosticMessage(one, definition?.schema)),
      };
      return listEvent.encode(event).finish();
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
