import { ApiError, type ApiFacts } from "./api-error";

/** Status 410: the object was deleted. */
export class Gone extends ApiError {
  static readonly code = "TENANCY_API_GONE";
  static readonly explanation = `
The object existed, and has been deleted (status 410). Its id does not come back.`;

  constructor(facts: ApiFacts) {
    super("has been deleted", facts, { advice: "Remove the reference to it from the configuration." });
  }
}
