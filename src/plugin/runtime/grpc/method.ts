import { type MessageType } from "../protobuf/message";

/** What surrounds one call. */
export interface CallContext {
  /** Aborted when the client gives the call up, or Terraform asks the provider to stop. */
  readonly signal: AbortSignal;
  /** Whether the client has gone, or given the call up: nobody will receive the answer. */
  readonly isLost: boolean;
}

/** A method with one message in and one out, as bytes. */
export type Method = (request: Uint8Array, context: CallContext) => Promise<Uint8Array> | Uint8Array;

/** Methods by their path, such as `/grpc.health.v1.Health/Check`. */
export type Methods = ReadonlyMap<string, Method>;

/** Makes a method of a typed handler. */
export function method<Request, Response>(
  requestType: MessageType<Request, never>,
  responseType: MessageType<unknown, Response>,
  handle: (request: Request, context: CallContext) => Promise<Response> | Response,
): Method {
  return async (bytes, context) => responseType.encode(await handle(requestType.decode(bytes), context));
}
