import * as problems from "../../../../src/problems";
import { ApiProblem, type Diagnostic, type Entry, Problem, Warning } from "../../../../src/problems";
import { adviceHere as advice, toTerraform } from "../../../../src/plugin/provider/words";

/** What Terraform has not: flags, verbs and other things of the command. */
const OF_THE_COMMAND = /(?:pass|with|or) --[a-z]|`tenancy |embedded engine|TENANCY_OTP\b/;

/** Told by the command or its engine alone: nothing that the provider calls raises these. */
const NEVER_IN_TERRAFORM: readonly Entry[] = [
  problems.absentStore,
  problems.confirmationNeeded,
  problems.corruptStore,
  problems.grantedMore,
  problems.internal,
  problems.mintingRefused,
  problems.notExportable,
  problems.notYetKnown,
  problems.plannedFromSnapshot,
  problems.storeUnusable,
  problems.unsupportedFunction,
  problems.unsupportedProvider,
  problems.unsupported,
];

/** Stands for any fact that an error is told: any member of it, any call of it, no elements, the text "x". */
const anything: unknown = new Proxy(() => undefined, {
  get(_target, name): unknown {
    if (name === Symbol.toPrimitive || name === "toString") return () => "x";
    if (name === Symbol.iterator) return () => [][Symbol.iterator]();
    return name === "length" ? 0 : anything;
  },
  apply: () => anything,
});

/** Every problem that there is, made as its finder makes it. */
const raised = Object.values(problems)
  .filter((one) => one instanceof Problem || one instanceof Warning || one instanceof ApiProblem)
  .map((one) => ({ one, diagnostics: madeOf(one as Problem<unknown> | ApiProblem<unknown>) }));

function madeOf(one: Problem<unknown> | ApiProblem<unknown>): readonly Diagnostic[] {
  return one instanceof ApiProblem
    ? one.error(anything as problems.ApiFacts, anything).toDiagnostics()
    : [one.at(anything)];
}

test("whoever runs Terraform is not told to use what only the command has", () => {
  expect(raised.length).toBeGreaterThan(80);
  const shown = raised
    .filter(({ one }) => !NEVER_IN_TERRAFORM.includes(one))
    .flatMap(({ diagnostics }) => toTerraform(diagnostics))
    .map(({ summary, detail }) => `${summary}\n${detail}`);
  expect(shown.filter((text) => OF_THE_COMMAND.test(text))).toEqual([]);
});

test("what is told otherwise under Terraform would be wrong there as it is", () => {
  const told = raised.filter(({ one }) => advice.has(one.code));
  expect(told).toHaveLength(advice.size);
  const fine = told.filter(({ diagnostics }) =>
    diagnostics.every((diagnostic) =>
      toTerraform([diagnostic])[0]?.detail?.includes(diagnostic.advice ?? ""),
    ),
  );
  expect(fine).toEqual([]);
});

test("an account that may not go is told of with the attribute that allows it", () => {
  const [refused] = toTerraform([problems.accountDeletionRefused.at("acme")]);
  expect(refused?.detail).toBe(
    "If that is intended, apply `deletion_protection = false` first.\nTENANCY_ACCOUNT_DELETION",
  );
});
