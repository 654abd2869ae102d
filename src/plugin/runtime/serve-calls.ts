/** What a plugin does once it has greeted Terraform. It is loaded apart, since Terraform waits for the greeting and for nothing else. */
import { type Socket } from "node:net";
import { providerService } from "./calls";
import { Host, type ProviderSource } from "./calls/host";
import { health } from "./grpc/health";
import { createGrpcServer } from "./grpc/server";
import { type Certificate } from "./process/certificate";
import { controller } from "./process/controller";
import { Lifetime } from "./process/lifetime";
import { createLog, levelOf } from "./process/log";
import { mutualTls } from "./process/mutual-tls";
import { type SocketPlace } from "./process/socket";

export interface Greeting {
  readonly source: ProviderSource;
  readonly place: SocketPlace;
  readonly own: Certificate;
  /** DER of the certificate of the one who may call. */
  readonly client: Buffer;
  /** Terraform's process id. */
  readonly parent: number;
}

/** @returns takes each connection to the place. */
export function serveCalls({ source, place, own, client, parent }: Greeting): (connection: Socket) => void {
  const host = new Host(source, createLog("provider", levelOf(process.env)));
  const server = createGrpcServer({
    methods: new Map([...providerService(host), ...health, ...controller(() => lifetime.shutDown())]),
    signal: () => host.signal,
  });
  const lifetime = new Lifetime({
    server,
    parent,
    stop: () => host.stop(),
    cleanUp: () => place.remove(),
  });
  setImmediate(() => void host.provider());
  return mutualTls(own, client, (connection) => server.serve(connection));
}
