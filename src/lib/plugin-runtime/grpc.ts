/** Serves gRPC over HTTP/2 as far as a plugin needs it: calls of one message with one answer or a stream of answers, and health. */
import {
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import { defineMessage, integer, MalformedMessage, type MessageType, string } from "./protobuf";

export interface GrpcServer {
  /** Answers the calls of a connection that may call. */
  serve(connection: Socket): void;
  /** Calls the listener for each new connection. */
  onConnection(listener: (connection: ServerHttp2Session) => void): void;
  /** Resolves when no call is running any more, and all answers are sent. */
  settled(): Promise<void>;
  /** Ends each connection after its last call. */
  close(): Promise<void>;
}

/** Room for many large states at once; the default of 10 MB refuses streams when hundreds of calls come together. */
const SESSION_MEMORY_MB = 1_024;
/** Window of bytes that a client may send before it has to wait for us. */
const WINDOW = 1 << 20;

/**
 * A gRPC server on node:http2, which loads in a fraction of the time of a gRPC library.
 * @param options.signal gives the signal of a call that starts now
 */
export function createGrpcServer({
  methods,
  signal,
}: {
  readonly methods: Methods;
  readonly signal: () => AbortSignal;
}): GrpcServer {
  const http = createServer({ maxSessionMemory: SESSION_MEMORY_MB, settings: { initialWindowSize: WINDOW } });
  const sessions = new Set<ServerHttp2Session>();
  const running = new Set<Promise<unknown>>();

  http.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    // A client that vanishes is reported by "close"; without a listener the error would end the process.
    session.on("error", () => undefined);
    session.setLocalWindowSize(16 * WINDOW);
  });
  http.on("sessionError", () => undefined);
  http.on("stream", (stream, headers) => {
    const streamEnd = new Promise((resolve) => stream.on("close", resolve));
    const call = answerStream(stream, headers, methods, signal()).then(() => streamEnd);
    running.add(call);
    void call.finally(() => running.delete(call));
  });

  return {
    serve: (connection) => void http.emit("connection", connection),
    onConnection: (tell) => http.on("session", tell),
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    close: async () => {
      await Promise.all(
        [...sessions].map((session) => new Promise<void>((resolve) => session.close(resolve))),
      );
    },
  };
}

/** The call on one stream. Its signal is made at its first use: most calls end before that. */
class StreamCall implements CallContext {
  readonly #stream: ServerHttp2Stream;
  readonly #stop: AbortSignal;
  #signal: AbortSignal | undefined;

  /** @param stop aborted when all calls are to stop. */
  constructor(stream: ServerHttp2Stream, stop: AbortSignal) {
    this.#stream = stream;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  get isLost(): boolean {
    return this.#stream.aborted || this.#stream.destroyed;
  }

  #makeSignal(): AbortSignal {
    const givenUp = new AbortController();
    if (this.isLost) givenUp.abort();
    this.#stream.on("aborted", () => givenUp.abort());
    this.#stream.on("error", () => givenUp.abort());
    return AbortSignal.any([this.#stop, givenUp.signal]);
  }
}

/** Circumstances of one call. */
export interface CallContext {
  /** Aborted when the client gives the call up, or Terraform asks the provider to stop. */
  readonly signal: AbortSignal;
  /** True if the client has gone, or has cancelled the call: the answer will not be received. */
  readonly isLost: boolean;
}

/** A method that takes one message and returns one, or a stream of messages, as bytes. */
export type Method = (
  request: Uint8Array,
  context: CallContext,
) => Promise<Uint8Array> | Uint8Array | AsyncIterable<Uint8Array>;

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

// Frames: a byte that marks a compressed message, and four bytes for the length.

const HEADER_BYTES = 5;

/** The longest accepted message: 256 MiB, many times the greatest state of one resource. */
const MOST_MESSAGE_BYTES = 256 * 2 ** 20;

export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEADER_BYTES);
  return framed;
}

/** Collects the body of a call that has one message to send. */
class MessageCollector {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** @throws RpcFailure if more comes than a message may hold. */
  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > HEADER_BYTES + MOST_MESSAGE_BYTES) {
      throw new RpcFailure(rpcStatus.resourceExhausted, "the message is too long");
    }
    this.#chunks.push(chunk);
  }

  /**
   * The message, once all has come.
   * @throws RpcFailure if the body is not exactly one plain message.
   */
  message(): Uint8Array {
    const body = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    if (body.length < HEADER_BYTES)
      throw new RpcFailure(rpcStatus.internal, "the call ends before its message");
    if (body[0] !== 0) throw new RpcFailure(rpcStatus.unimplemented, "compressed messages are not supported");
    if (body.readUInt32BE(1) !== body.length - HEADER_BYTES) {
      throw new RpcFailure(rpcStatus.internal, "the call's body is not one whole message");
    }
    return body.subarray(HEADER_BYTES);
  }
}

// One call on one HTTP/2 stream.

const RESPONSE_HEADERS = { ":status": 200, "content-type": "application/grpc" };

/**
 * Reads the request, calls the method and sends its answer. Never throws: every failure becomes the call's status.
 * @param stop aborted when all calls are to stop
 */
async function answerStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  methods: Methods,
  stop: AbortSignal,
): Promise<void> {
  // A broken stream is reported by "close"; without a listener the error would end the process.
  stream.on("error", () => undefined);
  try {
    const call = methods.get(String(headers[":path"]));
    if (call === undefined) throw new RpcFailure(rpcStatus.unimplemented, "this provider has no such method");
    const request = await requestMessage(stream);
    const response = await call(request, new StreamCall(stream, stop));
    if (response instanceof Uint8Array) respond(stream, response);
    else await respondEach(stream, response);
  } catch (error) {
    fail(stream, error);
  }
}

function requestMessage(stream: ServerHttp2Stream): Promise<Uint8Array> {
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
    stream.on("close", () => reject(new RpcFailure(rpcStatus.cancelled, "the client gave the call up")));
  });
}

function respond(stream: ServerHttp2Stream, response: Uint8Array): void {
  if (stream.destroyed || stream.closed) return;
  startResponse(stream);
  stream.end(frame(response));
}

/** Sends each message as soon as the client has room for it. A client that has enough closes the stream. */
async function respondEach(stream: ServerHttp2Stream, responses: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const response of responses) {
      if (stream.destroyed || stream.closed) return;
      if (!stream.headersSent) startResponse(stream);
      if (!stream.write(frame(response))) await roomIn(stream);
    }
  } catch (error) {
    // An answer has begun, so no status can follow: the client sees a broken stream.
    if (stream.headersSent) return stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    throw error;
  }
  if (stream.destroyed || stream.closed) return;
  if (!stream.headersSent) startResponse(stream);
  stream.end();
}

/** Resolves when more may be written, or when the stream is over. */
function roomIn(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off("drain", settle).off("close", settle);
      resolve();
    };
    stream.on("drain", settle).on("close", settle);
  });
}

function startResponse(stream: ServerHttp2Stream): void {
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(rpcStatus.ok) }));
  stream.respond(RESPONSE_HEADERS, { waitForTrailers: true });
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
  // The client's remaining data is of no use.
  stream.resume();
}

function toFailure(error: unknown): RpcFailure {
  if (error instanceof RpcFailure) return error;
  if (error instanceof MalformedMessage) {
    return new RpcFailure(rpcStatus.invalidArgument, `the request cannot be read: ${error.message}`);
  }
  return new RpcFailure(rpcStatus.internal, error instanceof Error ? error.message : String(error));
}

/** gRPC's status codes, as many as are answered here. */
const rpcStatus = {
  ok: 0,
  cancelled: 1,
  invalidArgument: 3,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
} as const;

type StatusCode = (typeof rpcStatus)[keyof typeof rpcStatus];

/** The limit of clients for one header. */
const LONGEST_STATUS_MESSAGE = 2_000;

/** A message in the form that gRPC's header wants: printable ASCII, the rest percent-encoded UTF-8. */
export function encodeStatusMessage(message: string): string {
  return message
    .slice(0, LONGEST_STATUS_MESSAGE)
    .replace(/[^ -$&-~]+/gu, (run) => Buffer.from(run).toString("hex").toUpperCase().replace(/../g, "%$&"));
}

/** A call that ends with a gRPC status instead of an answer. Terraform shows these badly: diagnostics are better. */
export class RpcFailure extends Error {
  readonly code: StatusCode;

  constructor(code: StatusCode, message: string) {
    super(message);
    this.name = "RpcFailure";
    this.code = code;
  }
}

// The health service, by which the client finds out that the plugin is running.

const SERVING = 1;
/** go-plugin asks for its own service; the empty name means the server as a whole. */
const SERVICES = new Set(["", "plugin"]);

const CheckRequest = defineMessage({ service: string(1) });
const CheckResponse = defineMessage({ status: integer(1) });

export const health: Methods = new Map([
  [
    "/grpc.health.v1.Health/Check",
    method(CheckRequest, CheckResponse, ({ service }) => {
      if (!SERVICES.has(service)) throw new RpcFailure(rpcStatus.notFound, "this server has no such service");
      return { status: SERVING };
    }),
  ],
]);
