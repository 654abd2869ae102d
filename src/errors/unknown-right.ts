import { nearest } from "../values";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** `permissions` names a right that the API does not have. */
export class UnknownRight extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_RIGHT";
  static readonly explanation = `
A key of \`permissions\` is no right of the API, most often a misspelt one. Rights are written with their group, as the API spells them:
\`"vss.manage_snapshots"\`. A right that nobody can hold would be ignored by the service, so that the user could do less, or with
\`undeclared_rights = "keep"\` more, than the configuration says.`;

  /** @param explain what a right lets its holder do, as a sentence */
  constructor(
    right: string,
    known: readonly string[],
    explain: (right: string) => string,
    details: ErrorDetails = {},
  ) {
    const near = nearest(right, known) ?? known.find((one) => one.endsWith(`.${right}`));
    super(`there is no right "${right}"`, {
      advice:
        near === undefined
          ? "Rights are written with their group, such as `vss.manage_snapshots`; the documentation of `permissions` lists all of them."
          : `Did you mean "${near}"? ${explain(near)}`,
      ...details,
    });
  }
}
