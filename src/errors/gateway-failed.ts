import { ApiError, type ApiFacts } from "./api-error";

/** Something between us and the service answered in its place. */
export class GatewayFailed extends ApiError {
  static readonly code = "TENANCY_API_GATEWAY";
  static readonly explanation = `
The answer did not come from the service but from a gateway, load balancer or log-in page in front of it: status 502 or 504, or a page of
HTML. A gateway that gives up waiting says nothing about whether the service did the work, so a create is only repeated after looking.
If it always happens, the base URL points at the wrong place.`;

  constructor(facts: ApiFacts) {
    const status = facts.status === undefined ? "" : ` (${facts.status})`;
    super(`a gateway answered in place of the service${status}`, facts, {
      advice: "Check that base_url leads to the service itself, and that the service is running.",
    });
  }

  override get transient(): boolean {
    return [500, 502, 503, 504].includes(this.status ?? 0);
  }

  /** A gateway's refusal (4xx) kept the request from the service; any other page leaves it open. */
  override get uncertain(): boolean {
    return !(this.status !== undefined && this.status >= 400 && this.status < 500);
  }
}
