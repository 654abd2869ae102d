/** Errors of `tenancy export`. */
import { TenancyError } from "./problem";

/** The service's lists lack something, so code made of them would lack it too. */
export class ExportIncomplete extends TenancyError {
  static readonly code = "TENANCY_EXPORT_INCOMPLETE";
  static readonly explanation = `
An export declares what is live. Where the service's lists are not whole (the run's own account is missing, or a user's account, or an account's
primary user profile), the code would look complete and would not be. Nothing was written. Export with a credential that sees everything, or when
the service answers in full again: \`tenancy doctor\` tells which.`;

  /** @param missing a clause, as in "the account account:1:2 of … is not in the list of accounts" */
  constructor(origin: string, missing: string) {
    super(`the lists of ${origin} are incomplete`, {
      detail: `${missing.charAt(0).toUpperCase()}${missing.slice(1)}.`,
      advice: "Export with a credential that sees everything; tenancy doctor says what it may do.",
    });
  }
}

/** No account was found that could be exported. */
export class NothingToExport extends TenancyError {
  static readonly code = "TENANCY_NOTHING_TO_EXPORT";
  static readonly explanation = `
The service lists no account that \`--account\` names, or none that can be declared: what another owner has made is never adopted. Nothing was
written.`;

  /** @param leftOut what cannot be exported, each in a few sentences */
  constructor(leftOut: readonly string[]) {
    super("there is no account to export", {
      ...(leftOut.length > 0 && { detail: leftOut.join("\n") }),
      advice: "Check --account, and TENANCY_OWNER with its keys.",
    });
  }
}

/** With `--strict`: something live cannot be exported. */
export class NotExportable extends TenancyError {
  static readonly code = "TENANCY_NOT_EXPORTABLE";
  static readonly explanation = `
With \`--strict\`, an export is all or nothing: here it would leave out records that are live, because another owner made them, or because no
declaration can name them. Nothing was written. Without \`--strict\` they are listed, and the rest is exported.`;

  /** @param leftOut each in a few sentences */
  constructor(leftOut: readonly string[]) {
    const count = leftOut.length === 1 ? "1 record" : `${leftOut.length} records`;
    super(`${count} cannot be exported`, {
      detail: leftOut.join("\n"),
      advice: "Leave out --strict, or choose other accounts with --account.",
    });
  }
}
