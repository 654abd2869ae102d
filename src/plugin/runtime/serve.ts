import { writeSync } from "node:fs";
import { providerService } from "./calls";
import { Host, type ProviderSource } from "./calls/host";
import { health } from "./grpc/health";
import { createGrpcServer } from "./grpc/server";
import { createCertificate } from "./process/certificate";
import { controller } from "./process/controller";
import { clientCertificate, handshakeLine, isStartedByTerraform } from "./process/handshake";
import { InvalidHandshake } from "./process/invalid-handshake";
import { Lifetime } from "./process/lifetime";
import { createLog, levelOf } from "./process/log";
import { mutualTls } from "./process/mutual-tls";
import { checkNodeVersion } from "./process/node-version";
import { panic } from "./process/panic";
import { createSocketPlace } from "./process/socket";

/**
 * Serves a provider to the Terraform that has started this process, until Terraform ends it. The process does nothing
 * else: its stdout, signals and end belong to the plugin from here on.
 * @param source the provider, or a function that loads it; with the function, Terraform is greeted before.
 */
export async function serveProvider(source: ProviderSource): Promise<void> {
  if (!isStartedByTerraform(process.env)) {
    writeSync(2, "This program is a Terraform provider. Terraform starts it; it is of no use by itself.\n");
    process.exit(1);
  }
  process.on("uncaughtException", panic);
  process.on("unhandledRejection", panic);
  try {
    checkNodeVersion(process.versions.node);
    await serve(source);
  } catch (error) {
    if (!(error instanceof InvalidHandshake)) throw error;
    // Terraform shows the first line of stdout when it is no handshake, and hides stderr.
    writeSync(1, `${error.message}\n`);
    process.exit(1);
  }
}

async function serve(source: ProviderSource): Promise<void> {
  const client = clientCertificate(process.env);
  const own = createCertificate();
  const host = new Host(source, createLog("provider", levelOf(process.env)));
  const place = createSocketPlace(process.env["PLUGIN_UNIX_SOCKET_DIR"]);
  const server = createGrpcServer({
    methods: new Map([...providerService(host), ...health, ...controller(() => lifetime.shutDown())]),
    listener: mutualTls(own, client),
    signal: () => host.signal,
  });
  const lifetime = new Lifetime({ server, stop: () => host.stop(), cleanUp: () => place.remove() });
  await server.listen(place.path);
  writeSync(1, `${handshakeLine(place.path, own.der)}\n`);
  // Terraform takes a while to connect: time in which the provider loads.
  setImmediate(() => void host.provider());
}
