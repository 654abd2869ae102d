import { inspect } from "node:util";
import { undeclaredName } from "../../src/problems";

test("an error that nobody catches shows its code and what to do, and no empty members", () => {
  const error = undeclaredName.error({ sort: "user", name: "jan", known: ["jane"], within: 'tenant "acme"' });
  expect(inspect(error)).toMatch(
    /^TenancyError: there is no user "jan" in tenant "acme"\n[^{]*\{\n {2}code: 'TENANCY_UNDECLARED_NAME',\n {2}advice: 'Did you mean "jane"\?'\n\}$/,
  );
  expect(error.toDiagnostics()).toEqual([
    {
      severity: "error",
      code: "TENANCY_UNDECLARED_NAME",
      summary: 'there is no user "jan" in tenant "acme"',
      advice: 'Did you mean "jane"?',
    },
  ]);
});
