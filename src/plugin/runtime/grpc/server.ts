/** A gRPC server for unary calls on node:http2, which is a fraction of what a gRPC library takes to load. */
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
} from "node:http2";
import { type Certificate } from "../process/certificate";
import { answer } from "./answer";
import { type Methods } from "./method";

export interface Encryption {
  readonly own: Certificate;
  /** PEM of the only certificate whose owner may connect. */
  readonly client: string;
}

export interface ServerOptions {
  readonly methods: Methods;
  /** Undefined where the socket alone keeps others out. */
  readonly encryption: Encryption | undefined;
  /** The signal for a call that starts now. */
  readonly signal: () => AbortSignal;
}

export interface GrpcServer {
  readonly http: Http2Server | Http2SecureServer;
  /** Resolves when no call is running any more, and what they answered is sent. */
  settled(): Promise<void>;
  /** Takes no new connections, and ends the old ones after their last call. */
  close(): Promise<void>;
}

/** Room for many large states at once; the default of 10 MB refuses streams when hundreds of calls come together. */
const SESSION_MEMORY_MB = 1_024;
/** Window for what a client may send before it has to wait for us. */
const WINDOW = 1 << 20;

export function createGrpcServer({ methods, encryption, signal }: ServerOptions): GrpcServer {
  const settings = { maxSessionMemory: SESSION_MEMORY_MB, settings: { initialWindowSize: WINDOW } };
  const http =
    encryption === undefined
      ? createServer(settings)
      : createSecureServer({
          ...settings,
          cert: encryption.own.pem,
          key: encryption.own.key,
          ca: encryption.client,
          requestCert: true,
          rejectUnauthorized: true,
          minVersion: "TLSv1.3",
        });
  const sessions = new Set<ServerHttp2Session>();
  const running = new Set<Promise<unknown>>();

  http.on("session", (session: ServerHttp2Session) => {
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
    http,
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        for (const session of sessions) session.close();
      }),
  };
}
