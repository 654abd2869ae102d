import { ApiError, type ApiFacts } from "./api-error";

/** No answer in time. */
export class TimedOut extends ApiError {
  static readonly code = "TENANCY_API_TIMEOUT";
  static readonly explanation = `
No answer came within \`request_timeout\` (30 seconds unless set): not its beginning, or not its next part. The service may still be working
on a request that it did not answer, so a create is only repeated after checking whether the object exists.`;

  constructor(facts: ApiFacts, timeoutMs: number) {
    super(`no answer within ${timeoutMs / 1000} s`, facts, {
      advice:
        "Check that the service is healthy and can be reached; a longer request_timeout helps with slow ones.",
    });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return this.request.sent !== false;
  }
}
