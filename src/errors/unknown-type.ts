import { nearest } from "../values";
import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Our provider has no such resource, data source or ephemeral resource. */
export class UnknownType extends TenancyError {
  static readonly code = "TENANCY_UNKNOWN_TYPE";
  static readonly explanation = `
The type begins with \`tenancy_\`, and this version of the provider has none of that name: it is misspelt, or was made with bindings of a
newer version.`;

  /** @param sort as in "resource", "data source" */
  constructor(sort: string, type: string, known: Iterable<string>, details: ErrorDetails = {}) {
    const names = [...known];
    const near = nearest(type, names);
    super(`there is no ${sort} "${type}"`, {
      advice: near === undefined ? `There are: ${names.join(", ") || "none"}.` : `Did you mean "${near}"?`,
      ...details,
    });
  }
}
