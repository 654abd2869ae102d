import type { Diagnostic } from "../../../src/problems";
import { diagnosticsText } from "../../../src/render/text";
import { diagnosticText } from "../../../src/render/text/diagnostics";
import { plain } from "../../../src/render/text/paint";

test("an error says what, where, why and what to do", () => {
  expect(
    diagnosticText(
      {
        severity: "error",
        code: "TENANCY_UNMANAGED",
        summary: 'account "acme" exists, and this configuration does not manage it',
        address: "tenancy_account.acme",
        constructPath: "platform/acme/Resource",
        attribute: ["limits_vss_num"],
        detail: "It was made outside this configuration (id account:1:42, owner unknown).",
        advice: 'Either import it: account.importFrom("acme")\nor choose another name.',
      },
      plain,
    ),
  ).toBe(`Error TENANCY_UNMANAGED: account "acme" exists, and this configuration does not manage it
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

describe("alike findings", () => {
  const unmanaged = (name: string): Diagnostic => ({
    severity: "error",
    code: "TENANCY_UNMANAGED",
    summary: `account "${name}" exists, and this configuration does not manage it`,
    address: `tenancy_account.${name}`,
    advice: `Import "${name}".`,
  });
  const names = Array.from({ length: 9 }, (_unused, index) => `a${index}`);

  test("are one, with their number and the places of the others", () => {
    expect(diagnosticsText(names.map(unmanaged), plain)).toBe(
      `Error TENANCY_UNMANAGED: account "a0" exists, and this configuration does not manage it (9 alike)
  on tenancy_account.a0
  The same: tenancy_account.a1, tenancy_account.a2, tenancy_account.a3, tenancy_account.a4, tenancy_account.a5 and 3 more. --all lists them.
  Import "a0".`,
    );
  });

  test("are listed with --all, and where they are few", () => {
    expect(diagnosticsText(names.map(unmanaged), plain, true).match(/^Error/gm)).toHaveLength(9);
    expect(diagnosticsText(names.slice(0, 3).map(unmanaged), plain).match(/^Error/gm)).toHaveLength(3);
  });

  test("do not hide what differs in more than a name", () => {
    const others = names.map((name, index) => ({ ...unmanaged(name), attribute: [`attribute${index}`] }));
    expect(diagnosticsText(others, plain).match(/^Error/gm)).toHaveLength(9);
  });

  test("stand in the order of errors, warnings, and warnings that need nothing to be done", () => {
    const warning: Diagnostic = { severity: "warning", code: "TENANCY_NOT_REVOKED", summary: "odd" };
    const text = diagnosticsText([warning, { ...warning, advice: "Do it." }, unmanaged("acme")], plain);
    expect(text.match(/^(Error|Warning).*|Do it/gm)).toEqual([
      expect.stringContaining("Error TENANCY_UNMANAGED"),
      "Warning TENANCY_NOT_REVOKED: odd",
      "Do it",
      "Warning TENANCY_NOT_REVOKED: odd",
    ]);
  });
});
