/** Answers one gRPC call on one HTTP/2 stream. */
import { type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { MalformedMessage } from "../protobuf/malformed-message";
import { frame, MessageCollector } from "./frame";
import { type Methods } from "./method";
import { RpcFailure } from "./rpc-failure";
import { encodeStatusMessage, status } from "./status";
import { StreamCall } from "./stream-call";

const RESPONSE_HEADERS = { ":status": 200, "content-type": "application/grpc" };

/**
 * Reads the request, calls the method and sends what it gives. Never throws: whatever goes wrong becomes the call's status.
 * @param stop aborted when all calls are to stop.
 */
export async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  methods: Methods,
  stop: AbortSignal,
): Promise<void> {
  // A broken stream is told by "close"; without a listener the error would end the process.
  stream.on("error", () => undefined);
  try {
    const call = methods.get(String(headers[":path"]));
    if (call === undefined) throw new RpcFailure(status.unimplemented, "this provider has no such method");
    const request = await collect(stream);
    const response = await call(request, new StreamCall(stream, stop));
    respond(stream, response);
  } catch (error) {
    fail(stream, error);
  }
}

function collect(stream: ServerHttp2Stream): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collector = new MessageCollector();
    const attempt = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    stream.on("data", (chunk: Buffer) => attempt(() => collector.add(chunk)));
    stream.on("end", () => attempt(() => resolve(collector.message())));
    stream.on("close", () => reject(new RpcFailure(status.cancelled, "the client gave the call up")));
  });
}

function respond(stream: ServerHttp2Stream, response: Uint8Array): void {
  if (stream.destroyed || stream.closed) return;
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(status.ok) }));
  stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
  stream.end(frame(response));
}

function fail(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const failure = toFailure(error);
  stream.respond(
    {
      ...RESPONSE_HEADERS,
      "grpc-status": String(failure.code),
      "grpc-message": encodeStatusMessage(failure.message),
    },
    { endStream: true },
  );
  // What the client still sends is of no use to anyone.
  stream.resume();
}

function toFailure(error: unknown): RpcFailure {
  if (error instanceof RpcFailure) return error;
  if (error instanceof MalformedMessage) {
    return new RpcFailure(status.invalidArgument, `the request cannot be read: ${error.message}`);
  }
  return new RpcFailure(status.internal, error instanceof Error ? error.message : String(error));
}
