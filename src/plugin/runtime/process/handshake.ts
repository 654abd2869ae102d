/** What Terraform and its plugin say to each other before the first call: go-plugin's handshake. */
import { X509Certificate } from "node:crypto";
import { InvalidHandshake } from "./invalid-handshake";
import { type Address } from "./socket";

type Environment = Readonly<Record<string, string | undefined>>;

/** go-plugin's own protocol. */
const CORE_PROTOCOL = 1;
export const PROVIDER_PROTOCOL = 6;

/** By this Terraform shows that it is Terraform. It is no secret, only a guard against running the program by hand. */
const COOKIE = {
  name: "TF_PLUGIN_MAGIC_COOKIE",
  value: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
};

/** Whether Terraform has started this process. */
export function isStartedByTerraform(environment: Environment): boolean {
  return environment[COOKIE.name] === COOKIE.value;
}

/**
 * The certificate, as DER, by which the client will prove itself.
 * @throws InvalidHandshake where there is none: without it, whoever finds the socket could use the provider's credentials.
 */
export function clientCertificate(environment: Environment): Buffer {
  const pem = environment["PLUGIN_CLIENT_CERT"];
  if (!pem) throw new InvalidHandshake("Terraform has sent no certificate (PLUGIN_CLIENT_CERT)");
  try {
    return new X509Certificate(pem).raw;
  } catch {
    throw new InvalidHandshake("Terraform has sent a certificate (PLUGIN_CLIENT_CERT) that cannot be read");
  }
}

/** The one line on stdout that tells Terraform where to connect and whom to expect there. */
export function handshakeLine({ network, text }: Address, certificate: Buffer): string {
  const unpadded = certificate.toString("base64").replace(/=+$/, "");
  return [CORE_PROTOCOL, PROVIDER_PROTOCOL, network, text, "grpc", unpadded].join("|");
}
