/** A gRPC server for unary calls on node:http2, which is a fraction of what a gRPC library takes to load. */
import { createServer, type ServerHttp2Session } from "node:http2";
import { type Socket } from "node:net";
import { answer } from "./answer";
import { type Methods } from "./method";

export interface ServerOptions {
  readonly methods: Methods;
  /** The signal for a call that starts now. */
  readonly signal: () => AbortSignal;
}

export interface GrpcServer {
  /** Answers the calls of a connection that may call. */
  serve(connection: Socket): void;
  /** Tells of each connection that begins. */
  onConnection(listener: (connection: ServerHttp2Session) => void): void;
  /** Resolves when no call is running any more, and what they answered is sent. */
  settled(): Promise<void>;
  /** Ends each connection after its last call. */
  close(): Promise<void>;
}

/** Room for many large states at once; the default of 10 MB refuses streams when hundreds of calls come together. */
const SESSION_MEMORY_MB = 1_024;
/** Window for what a client may send before it has to wait for us. */
const WINDOW = 1 << 20;

export function createGrpcServer({ methods, signal }: ServerOptions): GrpcServer {
  const http = createServer({ maxSessionMemory: SESSION_MEMORY_MB, settings: { initialWindowSize: WINDOW } });
  const sessions = new Set<ServerHttp2Session>();
  const running = new Set<Promise<unknown>>();

  http.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    // A client that vanishes is told by "close"; without a listener the error would end the process.
    session.on("error", () => undefined);
    session.setLocalWindowSize(16 * WINDOW);
  });
  http.on("sessionError", () => undefined);
  http.on("stream", (stream, headers) => {
    const sent = new Promise((resolve) => stream.on("close", resolve));
    const call = answer(stream, headers, methods, signal()).then(() => sent);
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
