/** Serves calls of one message with one answer or a stream of answers, and the health of the server. */
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { Server, ServerCredentials, type ServerWritableStream, status } from "@grpc/grpc-js";
import { calls } from "./generated/tfplugin6";

export interface GrpcServer {
  /** Answers the calls of a connection that may call. */
  serve(connection: Duplex): void;
  /** Resolves when no call is running any more. */
  settled(): Promise<void>;
  /** Ends each connection after its last call. */
  close(): Promise<void>;
}

/** The longest accepted message: 256 MiB, many times the greatest state of one resource. */
const MOST_MESSAGE_BYTES = 256 * 2 ** 20;

/** @param options.signal gives the signal of a call that starts now */
export function createGrpcServer({
  methods,
  signal,
}: {
  readonly methods: Methods;
  readonly signal: () => AbortSignal;
}): GrpcServer {
  const server = new Server({
    "grpc.max_receive_message_length": MOST_MESSAGE_BYTES,
    "grpc.enable_channelz": 0,
  });
  // The connections come with their own protection, since the socket is open before the library is loaded.
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const running = new Set<Promise<void>>();
  const asTheyAre = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (const [path, method] of methods) {
    const handle = (call: ServerCall) => {
      const task = answer(call, method, signal());
      running.add(task);
      void task.finally(() => running.delete(task));
    };
    // On the wire, a single answer is a stream of one.
    server.register(path, handle, asTheyAre, asTheyAre, "serverStream");
  }
  return {
    serve: (connection) => injector.injectConnection(connection),
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    close: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
  };
}

type ServerCall = ServerWritableStream<Uint8Array, Uint8Array>;

/** Never throws: every failure becomes the call's status. */
async function answer(call: ServerCall, method: Method, stop: AbortSignal): Promise<void> {
  const context = new StreamContext(call, stop);
  try {
    const response = await method(call.request, context);
    for await (const message of response instanceof Uint8Array ? [response] : response) {
      if (context.isLost) return;
      if (!call.write(message)) await once(call, "drain", { signal: context.signal });
    }
    call.end();
  } catch (error) {
    if (!context.isLost) call.emit("error", error);
  }
}

/** The circumstances of one call. Its signal is made at its first use: most calls end before that. */
class StreamContext implements CallContext {
  readonly #call: ServerCall;
  readonly #stop: AbortSignal;
  #signal: AbortSignal | undefined;

  /** @param stop aborted when all calls are to stop. */
  constructor(call: ServerCall, stop: AbortSignal) {
    this.#call = call;
    this.#stop = stop;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#makeSignal();
    return this.#signal;
  }

  get isLost(): boolean {
    return this.#call.cancelled;
  }

  #makeSignal(): AbortSignal {
    const givenUp = new AbortController();
    if (this.isLost) givenUp.abort();
    this.#call.on("cancelled", () => givenUp.abort());
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

// The health service, by which the client finds out that the plugin is running.

/** go-plugin asks for its own service; the empty name means the server as a whole. */
const SERVICES = new Set(["", "plugin"]);
const SERVING = 1;

export const health: Methods = new Map([
  [
    "/grpc.health.v1.Health/Check",
    (request) => {
      const { service } = calls.Check.request.decode(request);
      if (SERVICES.has(service)) return calls.Check.response.encode({ status: SERVING }).finish();
      throw Object.assign(new Error("this server has no such service"), { code: status.NOT_FOUND });
    },
  ],
]);
