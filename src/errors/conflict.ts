import { ApiError, type ApiFacts } from "./api-error";

/** Status 409: it clashes with what exists. */
export class Conflict extends ApiError {
  static readonly code = "TENANCY_API_CONFLICT";
  static readonly explanation = `
The request clashes with what the service holds (status 409): most often a name or uuid that is already taken.`;

  constructor(facts: ApiFacts) {
    super("clashes with what the service holds", facts, {
      advice: "Choose another name, or adopt what exists with an import block.",
    });
  }
}
