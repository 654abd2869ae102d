import { ApiError, type ApiFacts } from "./api-error";

/** Status 500: the service failed, also when asked again. */
export class ServerFailed extends ApiError {
  static readonly code = "TENANCY_API_SERVER";
  static readonly explanation = `
The service failed unexpectedly (status 500). Reads, updates and deletes were tried several times; a create is only repeated after looking
whether the object exists. What was applied before stays: run again once the service is well.`;

  constructor(facts: ApiFacts) {
    super("the service failed (500)", facts, {
      advice: "Run again later; if it stays, the service's log knows more.",
    });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return true;
  }
}
