import { ApiError, type ApiFacts } from "./api-error";

/** Status 405: the service does not do this over its API. */
export class MethodUnsupported extends ApiError {
  static readonly code = "TENANCY_API_METHOD";
  static readonly explanation = `
The service does not support this operation over its API (status 405). Not every deployment lets tokens be revoked that way: there,
revoke them with the service's own tools.`;

  constructor(facts: ApiFacts) {
    super("the service does not support this operation", facts, {
      advice: "Use the service's own tools for it.",
    });
  }
}
