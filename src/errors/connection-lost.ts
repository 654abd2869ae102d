import { ApiError, type ApiFacts } from "./api-error";

/** The connection broke before an answer began. */
export class ConnectionLost extends ApiError {
  static readonly code = "TENANCY_API_CONNECTION_LOST";
  static readonly explanation = `
The connection was closed or reset after the request was sent, before an answer began. It is not known whether the service did the work, so
a create is only repeated after checking whether the object exists.`;

  constructor(facts: ApiFacts, why: string) {
    super(`the connection was lost: ${why}`, facts, { advice: "Run again; what has been applied stays." });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return this.request.sent !== false;
  }
}
