import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { createCertificate, toPem } from "../../../../src/plugin/runtime/process/certificate";
import { handshakeLine } from "../../../../src/plugin/runtime/process/handshake";

test("each of 20,000 certificates is one that OpenSSL takes, and survives the handshake", () => {
  for (let made = 0; made < 20_000; made++) {
    const { der, pem, key } = createCertificate();
    const sent = handshakeLine("/s", der).split("|")[5] ?? "";
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
}, 300_000);

test("the certificate is for localhost, its own authority, and valid now", () => {
  const certificate = new X509Certificate(createCertificate().pem);
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.subjectAltName).toBe("DNS:localhost");
  expect(certificate.ca).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(new Date(certificate.validFrom).getTime()).toBeLessThan(Date.now());
  expect(new Date(certificate.validTo).getTime()).toBeGreaterThan(Date.now());
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
});

test("a certificate that outlives 2049 has the years that X.509 wants", () => {
  const certificate = new X509Certificate(createCertificate(new Date("2049-12-31T12:00:00Z")).pem);
  expect(new Date(certificate.validFrom).toISOString()).toBe("2049-12-30T12:00:00.000Z");
  expect(new Date(certificate.validTo).toISOString()).toBe("2050-12-31T12:00:00.000Z");
});

test("PEM has no blank line where the last line is full, and none that is too long", () => {
  for (let size = 0; size < 200; size++) {
    const lines = toPem("X", Buffer.alloc(size, 1)).split("\n").slice(1, -2);
    expect(lines.every((line) => line.length > 0 && line.length <= 64)).toBe(true);
    expect(Buffer.from(lines.join(""), "base64")).toHaveLength(size);
  }
});
