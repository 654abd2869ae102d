/** Errors of `tenancy export`. */
import { problem } from "./problem";

/** The service's lists lack something, so code made of them would lack it too. */
export const exportIncomplete = problem<{
  origin: string;
  /** A clause, as in "the account account:1:2 of … is not in the list of accounts". */
  missing: string;
}>({
  code: "TENANCY_EXPORT_INCOMPLETE",
  summary: ({ origin }) => `the lists of ${origin} are incomplete`,
  detail: ({ missing }) => `${missing.charAt(0).toUpperCase()}${missing.slice(1)}.`,
  advice: (_, say) =>
    `Export with a credential that sees everything; ${say.command("tenancy doctor") ?? "`doctor`"} says what it may do.`,
  explain: `
An export declares what is live. Where the service's lists are not whole (the run's own account is missing, or a user's account, or an account's
primary user profile), the code would look complete and would not be. Nothing was written. Export with a credential that sees everything, or when
the service answers in full again: \`tenancy doctor\` tells which.`,
});

/** The stack has no provider, so there is no service to read. The fact: the name of the stack. */
export const stackWithoutProvider = problem<string>({
  code: "TENANCY_STACK_WITHOUT_PROVIDER",
  summary: (stack) => `the stack ${JSON.stringify(stack)} has no provider`,
  detail: "An export reads the services that the providers of a stack name.",
  advice: "Add a provider to the stack, or name another stack.",
  explain: `
An export reads the services that the providers of a stack name, and this stack has no provider. Nothing was read, and nothing was written. Add
a \`TenancyProvider\` to the stack, or name another stack. Outside a project, \`tenancy export\` reads the service of \`TENANCY_BASE_URL\`.`,
});

/** No account was found that could be exported. The fact: what cannot be exported, each in a few sentences. */
export const nothingToExport = problem<readonly string[]>({
  code: "TENANCY_NOTHING_TO_EXPORT",
  summary: "there is no account to export",
  detail: (leftOut) => (leftOut.length === 0 ? undefined : leftOut.join("\n")),
  advice: (_, say) => `Check ${say.command("--account") ?? "`isWanted`"}, and TENANCY_OWNER with its keys.`,
  explain: `
The service lists no account that \`--account\` names, or none that can be declared: what another owner has made is never imported. Nothing was
written.`,
});

/** With `--strict`: something live cannot be exported. The fact: each of these records in a few sentences. */
export const notExportable = problem<readonly string[]>({
  code: "TENANCY_NOT_EXPORTABLE",
  summary: ({ length }) => `${length === 1 ? "1 record" : `${length} records`} cannot be exported`,
  detail: (leftOut) => leftOut.join("\n"),
  advice: "Leave out --strict, or choose other accounts with --account.",
  explain: `
With \`--strict\`, an export is all or nothing: here it would leave out records that are live, because another owner made them, or because no
declaration can name them. Nothing was written. Without \`--strict\` they are listed, and the rest is exported.`,
});
