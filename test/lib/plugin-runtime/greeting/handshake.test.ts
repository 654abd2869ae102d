import { createCertificate } from "../../../../src/lib/plugin-runtime/certificate";
import {
  clientCertificate,
  isStartedByTerraform,
  InvalidHandshake,
} from "../../../../src/lib/plugin-runtime/greeting";

test("Terraform is known by its cookie", () => {
  const cookie = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
  expect(isStartedByTerraform({ TF_PLUGIN_MAGIC_COOKIE: cookie })).toBe(true);
  expect(isStartedByTerraform({ TF_PLUGIN_MAGIC_COOKIE: "other" })).toBe(false);
  expect(isStartedByTerraform({})).toBe(false);
});

test("the client's certificate is required, and must be one", () => {
  const { der, pem } = createCertificate();
  expect(clientCertificate({ PLUGIN_CLIENT_CERT: pem }).equals(der)).toBe(true);
  expect(() => clientCertificate({})).toThrow(InvalidHandshake);
  expect(() => clientCertificate({ PLUGIN_CLIENT_CERT: "x" })).toThrow(InvalidHandshake);
});
