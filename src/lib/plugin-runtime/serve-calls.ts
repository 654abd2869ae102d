/** Serves Terraform's calls after the greeting. A file of its own, since Terraform waits for the greeting and for nothing else. */
import type { Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { Host, providerService, type ProviderSource } from "./calls";
import type { Certificate } from "./certificate";
import { createGrpcServer, type GrpcServer, health, type Methods } from "./grpc";
import { createLog, levelOf } from "./log";
import type { SocketPlace } from "./socket";

/** @returns takes each connection to the place. */
export function serveCalls(greeting: {
  readonly source: ProviderSource;
  readonly schemaAnswer: Uint8Array | undefined;
  readonly place: SocketPlace;
  /** The own certificate, and the DER of the certificate of the one who may call; undefined without TLS. */
  readonly tls: { readonly own: Certificate; readonly client: Buffer } | undefined;
  /** Terraform's process id. */
  readonly parent: number;
}): (connection: Socket) => void {
  const { source, schemaAnswer, place, tls, parent } = greeting;
  const host = new Host(source, createLog("provider", levelOf(process.env)));
  const server = createGrpcServer({
    methods: new Map([
      ...providerService(host, schemaAnswer),
      ...health,
      ...controller(() => lifetime.shutDown()),
    ]),
    signal: () => host.signal,
  });
  const lifetime = new Lifetime({
    server,
    parent,
    stop: () => host.stop(),
    cleanUp: () => place.remove(),
  });
  if (schemaAnswer === undefined) setImmediate(() => void host.provider());
  const take = (connection: Socket) => {
    lifetime.watch(connection);
    server.serve(connection);
  };
  return tls === undefined ? take : mutualTls(tls.own, tls.client, take);
}

/** go-plugin's controller, by which Terraform ends the plugin. */
export function controller(shutDown: () => void): Methods {
  return new Map([
    [
      "/plugin.GRPCController/Shutdown",
      () => {
        shutDown();
        return new Uint8Array();
      },
    ],
  ]);
}

// The end of the process: when Terraform asks for it or has gone, but never for a signal that is meant for Terraform.

/** go-plugin kills a process that is still there two seconds after it was asked to go. */
const GRACE_AFTER_SHUTDOWN = 1_500;
/**
 * Time for calls after the loss of the caller, in milliseconds. A half-done write is still worth finishing, and a create whose answer is lost must be undone.
 */
const GRACE_AFTER_LOSS = 60_000;
/** go-plugin itself gives up after a minute. */
const PATIENCE_FOR_CLIENT = 60_000;

interface LifetimeOptions {
  readonly server: GrpcServer;
  /** The parent's process id, from before anything was waited for. */
  readonly parent: number;
  /** Asks the running calls to stop. */
  readonly stop: () => Promise<void>;
  /** Last thing before the process ends. */
  readonly cleanUp: () => void;
}

class Lifetime {
  readonly #options: LifetimeOptions;
  #connections = 0;
  #leaving = false;
  #hangUp: () => void = () => undefined;
  readonly #hungUp = new Promise<void>((resolve) => (this.#hangUp = resolve));

  constructor(options: LifetimeOptions) {
    this.#options = options;
    this.#endWithTheParent();
    this.#leaveSignalsToTerraform();
  }

  /** Terraform is done. Its question is answered before the process ends. */
  shutDown(): void {
    setImmediate(() => void this.#leave(GRACE_AFTER_SHUTDOWN));
  }

  /** A killed Terraform says nothing, but its connection closes. */
  watch(connection: Socket): void {
    this.#connections += 1;
    connection.on("close", () => {
      this.#connections -= 1;
      if (this.#connections > 0) return;
      this.#hangUp();
      void this.#leave(GRACE_AFTER_LOSS);
    });
  }

  /**
   * Also watches the parent process: there may be no connection yet, and Node 20 does not report the close of a connection whose client has
   * reset a thousand streams.
   */
  #endWithTheParent(): void {
    const { parent } = this.#options;
    const deadline = Date.now() + PATIENCE_FOR_CLIENT;
    let isAwaited = true;
    setInterval(() => {
      const isConnected = this.#connections > 0;
      if (isConnected) isAwaited = false;
      if (process.ppid !== parent) {
        this.#hangUp();
        void this.#leave(isConnected ? GRACE_AFTER_LOSS : 0);
      } else if (isAwaited && Date.now() > deadline) void this.#leave(0);
    }, 500);
  }

  /**
   * Ctrl-C reaches every process of the terminal. Terraform then asks for a stop, and stores the results so far. A plugin that ended by
   * itself would lose them.
   */
  #leaveSignalsToTerraform(): void {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (this.#connections === 0) void this.#leave(0);
      });
    }
  }

  /** The client closes the connection after its answer. A session that the server ends may lose unsent bytes (Node 20.18). */
  async #leave(grace: number): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { server, stop, cleanUp } = this.#options;
    const patience = new Promise((resolve) => setTimeout(resolve, grace));
    const hungUp = Promise.allSettled([stop(), server.settled()]).then(() => this.#hungUp);
    await Promise.race([hungUp, patience]);
    cleanUp();
    process.exit(0);
  }
}

/**
 * Passes on only connections of the client that owns the given certificate.
 *
 * The certificate is compared byte for byte, and TLS has proved by then that the client owns it. With the certificate as an authority
 * (`ca`), Node would first read all the authorities of the web, which takes longer than the rest of the start.
 * @param client DER of the certificate
 * @returns takes each connection as it comes in
 */
function mutualTls(
  own: Certificate,
  client: Buffer,
  serve: (connection: Socket) => void,
): (connection: Socket) => void {
  const tls = createServer({
    cert: own.pem,
    key: own.key,
    ca: [],
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: "TLSv1.3",
    ALPNProtocols: ["h2"],
  });
  // Clients without TLS are refused by this error.
  tls.on("tlsClientError", () => undefined);
  tls.on("secureConnection", (connection: TLSSocket) => {
    if (isClient(connection, client)) serve(connection);
    else connection.destroy();
  });
  return (connection) => void tls.emit("connection", connection);
}

function isClient(connection: TLSSocket, client: Buffer): boolean {
  const certificate = connection.getPeerX509Certificate();
  return certificate !== undefined && certificate.raw.equals(client);
}
