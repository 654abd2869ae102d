/** Many certificates, judged by OpenSSL: covers src/lib/plugin-runtime/certificate.ts. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { createCertificate } from "../../../src/lib/plugin-runtime/certificate";
import { handshakeLine } from "../../../src/lib/plugin-runtime/greeting";

test("each of 20,000 certificates is one that OpenSSL takes, and survives the handshake", () => {
  for (let made = 0; made < 20_000; made++) {
    const { der, pem, key } = createCertificate();
    const sent = handshakeLine({ network: "unix", text: "/s" }, der).split("|")[5] ?? "";
    expect(sent).not.toContain("=");
    expect(Buffer.from(sent, "base64").equals(der)).toBe(true);
    expect(pem).not.toContain("\n\n");
    const certificate = new X509Certificate(pem);
    expect(certificate.raw.equals(der)).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    // The slowest step, and one that adds little to those before.
    if (made % 100 === 0) createSecureContext({ cert: pem, key });
  }
});
