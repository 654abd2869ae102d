import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** Nothing live has this name. */
export class NoSuchObject extends TenancyError {
  static readonly code = "TENANCY_NO_SUCH_OBJECT";
  static readonly explanation = `
An \`import\` block or a data source names an object that the caller cannot see: misspelt, deleted, in another service, or hidden from this
credential.`;

  /** @param how by what it was looked for, as in `name "acme"` */
  constructor(noun: string, how: string, details: ErrorDetails = {}) {
    super(`there is no ${noun} with ${how} that the caller can see`, {
      advice: "Check the spelling, the base URL, and what the credential can see.",
      ...details,
    });
  }
}
