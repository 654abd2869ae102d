import { inspect } from "node:util";
import {
  confirmationNeeded,
  deletedAlready,
  notFound,
  stateBranchMissing,
  stateLocked,
  stateReplayed,
  undeclaredName,
} from "../../src/problems";

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

test("commands that look after a state on a branch name its stack, since an app may have several", () => {
  const holder = { pid: 1, host: "vm", since: "2026-11-26T00:00:00.000Z", run: "7f3a91c2" };
  const advice = (state: string): string[] =>
    [
      stateLocked.error({ state, holder }),
      stateReplayed.error({ state, sequence: 1, highest: 2, witness: "this clone has seen" }),
      stateBranchMissing.error({ state, branch: "b", remote: "origin" }),
    ].map((error) => error.advice?.replace(/^.*: /, "") ?? "");
  expect(advice("git:origin/tenancy-state/staging")).toEqual([
    "tenancy state unlock staging 7f3a91c2.",
    "tenancy state accept staging",
    "tenancy state init staging",
  ]);
  expect(advice("kept by a-helper")[0]).toBe("tenancy state unlock 7f3a91c2.");
});

test("a question that no option answers does not suggest one", () => {
  expect(confirmationNeeded.error({ verb: "state accept", isForPeople: true }).advice).not.toContain("--yes");
  expect(confirmationNeeded.error({ verb: "state unlock" }).advice).toBe("Pass --yes.");
});

test("problems with one remedy have one code, and are told apart", () => {
  const gone = deletedAlready.error({ method: "GET", path: "/api/account/1" });
  expect([gone.code, deletedAlready.is(gone), notFound.is(gone)]).toEqual([notFound.code, true, false]);
});
