import { createServer, type TLSSocket } from "node:tls";
import { type Listener } from "../grpc/server";
import { type Certificate } from "./certificate";

/**
 * Takes only the client that owns the given certificate.
 *
 * The certificate is compared byte for byte, and that its sender owns it TLS has proved by then. Were it passed as an
 * authority (`ca`) instead, Node would first read all the authorities of the web, which takes longer than the rest of the
 * start.
 * @param client DER of the certificate.
 */
export function mutualTls(own: Certificate, client: Buffer): Listener {
  return (serve) => {
    const server = createServer({
      cert: own.pem,
      key: own.key,
      ca: [],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: "TLSv1.3",
      ALPNProtocols: ["h2"],
    });
    // Those who begin no TLS, or break it off, are refused with that.
    server.on("tlsClientError", () => undefined);
    server.on("secureConnection", (connection: TLSSocket) => {
      if (isFrom(connection, client)) serve(connection);
      else connection.destroy();
    });
    return server;
  };
}

function isFrom(connection: TLSSocket, client: Buffer): boolean {
  const certificate = connection.getPeerX509Certificate();
  return certificate !== undefined && certificate.raw.equals(client);
}
