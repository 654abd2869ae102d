/** Errors of `tenancy export`. */
import { problem } from "./problem";

/** The service's lists lack something, so code made of them would lack it too. */
export const exportIncomplete = problem<{
  origin: string;
  /** A clause, as in "the account account:1:2 of … is not in the list of accounts". */
  missing: string;
}>({
  code: "TENANCY_INCOMPLETE_LISTS",
  summary: ({ origin }) => `the lists of ${origin} are incomplete`,
  detail: ({ missing }) => `${missing.charAt(0).toUpperCase()}${missing.slice(1)}.`,
  advice: (_, say) =>
    `Export with a credential that sees everything; ${say.command("tenancy doctor") ?? "`doctor`"} says what it may do.`,
});

/** The stack has no provider, so there is no service to read. The fact: the name of the stack. */
export const stackWithoutProvider = problem<string>({
  code: "TENANCY_INCOMPLETE_PROVIDER",
  summary: (stack) => `the stack ${JSON.stringify(stack)} has no provider`,
  detail: "An export reads the services of a stack's providers.",
  advice: "Add a provider to the stack, or name another stack.",
});

/** No account can be exported. The fact: a few sentences about each obstacle. */
export const nothingToExport = problem<readonly string[]>({
  code: "TENANCY_NOT_EXPORTABLE",
  summary: "there is no account to export",
  detail: (leftOut) => (leftOut.length === 0 ? undefined : leftOut.join("\n")),
  advice: (_, say) => `Check ${say.command("--account") ?? "`isWanted`"}, and TENANCY_OWNER with its keys.`,
});

/** With `--strict`: something live cannot be exported. The fact: each of these records in a few sentences. */
export const notExportable = problem<readonly string[]>({
  code: "TENANCY_NOT_EXPORTABLE",
  summary: ({ length }) => `${length === 1 ? "1 record" : `${length} records`} cannot be exported`,
  detail: (leftOut) => leftOut.join("\n"),
  advice: "Leave out --strict, or choose other accounts with --account.",
});
