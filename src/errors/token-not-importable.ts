import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An import block names a token. */
export class TokenNotImportable extends TenancyError {
  static readonly code = "TENANCY_TOKEN_NOT_IMPORTABLE";
  static readonly explanation = `
A token cannot be taken in: the service shows its secret once, when it is minted, and never again. Take the import block out; a token of that
name is then minted anew. Revoke the old one in the service once nobody uses it.`;

  constructor(details: ErrorDetails = {}) {
    super("a token cannot be imported: its secret cannot be read", {
      advice: "Take the import block out, and let the token be minted anew.",
      ...details,
    });
  }
}
