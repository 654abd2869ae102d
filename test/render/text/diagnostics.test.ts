import { diagnosticsText } from "../../../src/render/text";
import { diagnosticText } from "../../../src/render/text/diagnostics";
import { plain } from "../../../src/render/text/paint";

test("an error says what, where, why and what to do", () => {
  expect(
    diagnosticText(
      {
        severity: "error",
        code: "TENANCY_UNMANAGED",
        summary: 'account "acme" exists, and this owner does not manage it',
        address: "tenancy_account.acme",
        constructPath: "platform/acme/Resource",
        attribute: ["limits_vss_num"],
        detail: "It was made outside this configuration (id account:1:42, owner unknown).",
        advice: 'Either import it: account.importFrom("acme")\nor choose another name.',
      },
      plain,
    ),
  ).toBe(`Error TENANCY_UNMANAGED: account "acme" exists, and this owner does not manage it
  on tenancy_account.acme, limits_vss_num (platform/acme/Resource)
  It was made outside this configuration (id account:1:42, owner unknown).
  Either import it: account.importFrom("acme")
  or choose another name.`);
});

test("a warning about a file names it", () => {
  expect(
    diagnosticText(
      {
        severity: "warning",
        code: "TENANCY_NOT_REVOKED",
        summary: "odd\u001b[31m",
        file: "terraform.tfvars",
      },
      plain,
    ),
  ).toBe("Warning TENANCY_NOT_REVOKED: odd\n  in terraform.tfvars");
});

test("what is said twice is shown once", () => {
  const warning = { severity: "warning", code: "TENANCY_NOT_REVOKED", summary: "odd" } as const;
  expect(diagnosticsText([warning, { ...warning }, { ...warning, summary: "odder" }], plain)).toBe(
    "Warning TENANCY_NOT_REVOKED: odd\n\nWarning TENANCY_NOT_REVOKED: odder",
  );
});
