import { ApiError, type ApiFacts } from "./api-error";

/** Status 500: the service failed, and failed again when asked again. */
export class ServerFailed extends ApiError {
  static readonly code = "TENANCY_API_SERVER";
  static readonly explanation = `
The service failed unexpectedly (status 500). Reads, updates and deletes were tried several times; a create is only repeated after checking
whether the object exists. What was applied before stays: run again once the service is healthy.`;

  constructor(facts: ApiFacts) {
    super("the service failed (500)", facts, {
      advice: "Run again later; if this persists, look in the service's log.",
    });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return true;
  }
}
