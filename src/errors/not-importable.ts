import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** An import of something whose state cannot be read from the service. */
export class NotImportable extends TenancyError {
  static readonly code = "TENANCY_NOT_IMPORTABLE";
  static readonly explanation = `
The service shows the secret of a token once, when it is minted; a state without it would be of no use. Declare a new token, hand it to its
consumers, and revoke the old one where it was made. Accounts and user profiles can be imported, by id, serial, and name or login.`;

  /** @param type such as `tenancy_authorization` */
  constructor(type: string, details: ErrorDetails = {}) {
    super(`${type} cannot be imported: its secret cannot be read`, {
      advice: "Declare a new one, and revoke the old one once nobody uses it any more.",
      ...details,
    });
  }
}
