import { writeSync } from "node:fs";
import { type ProviderSource } from "./calls/host";
import { createCertificate } from "./process/certificate";
import { clientCertificate, handshakeLine, isStartedByTerraform } from "./process/handshake";
import { InvalidHandshake } from "./process/invalid-handshake";
import { checkNodeVersion } from "./process/node-version";
import { panic } from "./process/panic";
import { createSocketPlace, listen } from "./process/socket";

/**
 * Serves a provider to the Terraform that has started this process, until Terraform ends it. The process does nothing
 * else: its stdout, signals and end belong to the plugin from here on.
 * @param source the provider, or a function that loads it; with the function, Terraform is greeted before.
 */
export async function serveProvider(source: ProviderSource): Promise<void> {
  if (!isStartedByTerraform(process.env)) {
    writeSync(2, "This program is a Terraform provider. Terraform starts it; on its own it does nothing.\n");
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
  const parent = process.ppid;
  const client = clientCertificate(process.env);
  const own = createCertificate();
  const place = createSocketPlace(process.env["PLUGIN_UNIX_SOCKET_DIR"]);
  const listening = listen(place, (connection) => void greeted.then((take) => take(connection)));
  const greeted = listening.then(async ({ address }) => {
    writeSync(1, `${handshakeLine(address, own.der)}\n`);
    // Terraform takes a while to connect: time in which all the rest loads.
    const { serveCalls } = await import("./serve-calls.js");
    return serveCalls({ source, place, own, client, parent });
  });
  await greeted;
}
