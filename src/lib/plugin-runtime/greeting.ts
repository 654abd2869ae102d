/** Greets Terraform: go-plugin's handshake, before the first call. A file of its own, since Terraform waits for it. */
import { X509Certificate } from "node:crypto";
import { writeSync } from "node:fs";
import { hideEnvironmentFromReports, isAtLeast, type Environment } from "../values";
import type { ProviderSource } from "./calls";
import { createCertificate } from "./certificate";
import { type Address, createSocketPlace, listen } from "./socket";

/**
 * Serves a provider to the Terraform that has started this process, until Terraform ends it. The process does nothing
 * else: its stdout, signals and end belong to the plugin from here on.
 * @param source the provider, or a function that loads it; with the function, Terraform is greeted before.
 * @param schemaAnswer bytes of `encodedSchema`: with them, a process that is asked for the schema alone does not load the provider.
 */
export async function serveProvider(source: ProviderSource, schemaAnswer?: Uint8Array): Promise<void> {
  if (!isStartedByTerraform(process.env)) {
    writeSync(2, "This program is a Terraform provider. Terraform starts it; on its own it does nothing.\n");
    process.exit(1);
  }
  hideEnvironmentFromReports();
  process.on("uncaughtException", panic);
  process.on("unhandledRejection", panic);
  try {
    checkNodeVersion(process.versions.node);
    await serveTerraform(source, schemaAnswer);
  } catch (error) {
    if (!(error instanceof InvalidHandshake)) throw error;
    // Terraform shows the first line of stdout when it is no handshake, and hides stderr.
    writeSync(1, `${error.message}\n`);
    process.exit(1);
  }
}

async function serveTerraform(source: ProviderSource, schemaAnswer: Uint8Array | undefined): Promise<void> {
  const parent = process.ppid;
  const client = clientCertificate(process.env, process.platform);
  const tls = client && { own: createCertificate(), client };
  const place = createSocketPlace(process.env["PLUGIN_UNIX_SOCKET_DIR"]);
  const listening = listen(place, (connection) => void greeted.then((take) => take(connection)));
  const greeted = listening.then(async ({ address }) => {
    writeSync(1, `${handshakeLine(address, tls?.own.der)}\n`);
    // Terraform takes a while to connect. Everything else loads in that time.
    const { serveCalls } = await import("./serve-calls.js");
    return serveCalls({ source, schemaAnswer, place, tls, parent });
  });
  await greeted;
}

/** go-plugin's own protocol. */
const CORE_PROTOCOL = 1;
export const PROVIDER_PROTOCOL = 6;

/** The variable by which Terraform identifies itself. It is no secret, only a guard against starting the program by hand. */
const COOKIE = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};

/** True if Terraform has started this process. */
export function isStartedByTerraform(environment: Environment): boolean {
  return environment[COOKIE.name] === COOKIE.value;
}

/**
 * The certificate, as DER, by which the client will prove its identity; undefined if the user has switched TLS off, as HashiCorp's framework
 * for acceptance tests does. The socket's folder then keeps other users out. On Windows, nothing would.
 * @throws InvalidHandshake if there is none: without it, any process that finds the socket could use the provider's credentials
 */
export function clientCertificate(environment: Environment, platform: NodeJS.Platform): Buffer | undefined {
  const pem = environment["PLUGIN_CLIENT_CERT"];
  if (!pem && environment["TF_DISABLE_PLUGIN_TLS"]) {
    if (platform !== "win32") return undefined;
    throw new InvalidHandshake("On Windows, this provider needs TLS: unset TF_DISABLE_PLUGIN_TLS");
  }
  if (!pem) throw new InvalidHandshake("Terraform has sent no certificate (PLUGIN_CLIENT_CERT)");
  try {
    return new X509Certificate(pem).raw;
  } catch {
    throw new InvalidHandshake("Terraform has sent a certificate (PLUGIN_CLIENT_CERT) that cannot be read");
  }
}

/** The one line on stdout with the address and the certificate of the server, if there is one, for Terraform. */
export function handshakeLine({ network, text }: Address, certificate: Buffer | undefined): string {
  const unpadded = certificate?.toString("base64").replace(/=+$/, "");
  return [CORE_PROTOCOL, PROVIDER_PROTOCOL, network, text, "grpc", unpadded].join("|");
}

/** Terraform did not begin as it should. */
export class InvalidHandshake extends Error {
  constructor(what: string) {
    super(what);
    this.name = "InvalidHandshake";
  }
}

/** The versions of Node that the runtime is tested with, and whose API it needs. */
const OLDEST_NODE = "20.18.1";

/**
 * @param version such as `20.18.1`.
 * @throws InvalidHandshake if it is too old.
 */
export function checkNodeVersion(version: string): void {
  if (isAtLeast(version, OLDEST_NODE)) return;
  throw new InvalidHandshake(
    `This provider needs Node ${OLDEST_NODE} or later; the one in use is ${version}`,
  );
}

/** Ends the process for an uncaught error, in the words that Terraform looks for: it then shows the text after `panic:` to the user. */
function panic(error: unknown): never {
  const story = error instanceof Error ? (error.stack ?? error.message) : String(error);
  try {
    writeSync(2, `panic: ${story}\n`);
  } catch {
    // The reader is gone.
  }
  process.exit(2);
}
