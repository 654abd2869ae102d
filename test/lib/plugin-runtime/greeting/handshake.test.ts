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

test("the client's certificate is required unless TLS is off, and must be one", () => {
  const { der, pem } = createCertificate();
  const off = { TF_DISABLE_PLUGIN_TLS: "1" };
  expect(clientCertificate({ ...off, PLUGIN_CLIENT_CERT: pem }, "linux")).toEqual(der);
  expect(() => clientCertificate({}, "linux")).toThrow(InvalidHandshake);
  expect(() => clientCertificate({ PLUGIN_CLIENT_CERT: "x" }, "linux")).toThrow(InvalidHandshake);
  expect(clientCertificate(off, "linux")).toBeUndefined();
  expect(() => clientCertificate(off, "win32")).toThrow("unset TF_DISABLE_PLUGIN_TLS");
});
