import { ApiError, type ApiFacts } from "./api-error";

/** Status 404: there is no such object, or none that the caller can see. */
export class NotFound extends ApiError {
  static readonly code = "TENANCY_API_NOT_FOUND";
  static readonly explanation = `
The service knows no such object (status 404), or none that the caller can see. Another id or serial, another service, or an object
that was removed outside this configuration are the usual reasons.`;

  constructor(facts: ApiFacts) {
    super("not found", facts, {
      advice: "Check the id or serial, the base URL, and that the caller can see the object.",
    });
  }
}
