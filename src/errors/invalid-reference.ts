import { TenancyError } from "./tenancy-error";

/** An id or serial that no object can have. */
export class InvalidReference extends TenancyError {
  static readonly code = "TENANCY_INVALID_REFERENCE";
  static readonly explanation = `
An id or serial is empty or would change the address of the request. Nothing was sent.`;

  constructor(reference: string) {
    super(`${JSON.stringify(reference)} is not a valid id or serial`, {
      advice: "Use the id or serial as the service shows it.",
    });
  }
}
