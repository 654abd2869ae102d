import { inspect } from "node:util";
import { UndeclaredName } from "../../src/problems";

test("an error that nobody catches shows what to do, and no empty members", () => {
  const error = new UndeclaredName("user", "jan", ["jane"], 'tenant "acme"');
  expect(inspect(error)).toMatch(
    /^UndeclaredName: there is no user "jan" in tenant "acme"\n[^{]*\{\n {2}advice: 'Did you mean "jane"\?'\n\}$/,
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
