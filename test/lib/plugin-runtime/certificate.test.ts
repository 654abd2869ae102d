import { X509Certificate } from "node:crypto";
import { createCertificate } from "../../../src/lib/plugin-runtime/certificate";

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
