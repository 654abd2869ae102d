import { type Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { type Certificate } from "./certificate";

/**
 * Hands on only connections of the client that owns the given certificate.
 *
 * The certificate is compared byte for byte, and that its sender owns it TLS has proved by then. Were it passed as an
 * authority (`ca`) instead, Node would first read all the authorities of the web, which takes longer than the rest of the
 * start.
 * @param client DER of the certificate.
 * @returns takes each connection as it comes in.
 */
export function mutualTls(
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
  // Those who begin no TLS, or break it off, are refused with that.
  tls.on("tlsClientError", () => undefined);
  tls.on("secureConnection", (connection: TLSSocket) => {
    if (isFrom(connection, client)) serve(connection);
    else connection.destroy();
  });
  return (connection) => void tls.emit("connection", connection);
}

function isFrom(connection: TLSSocket, client: Buffer): boolean {
  const certificate = connection.getPeerX509Certificate();
  return certificate !== undefined && certificate.raw.equals(client);
}
