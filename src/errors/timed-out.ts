import { ApiError, type ApiFacts } from "./api-error";

/** No answer in time. */
export class TimedOut extends ApiError {
  static readonly code = "TENANCY_API_TIMEOUT";
  static readonly explanation = `
No whole answer came within \`request_timeout\` (30 seconds unless set). A long list gets more time while it flows: each 4 MiB that have come
give it another \`request_timeout\`, up to ten in all, as long as 64 KiB come in each. Informational answers (status 1xx) give no time. The
service may still be working on a request that it did not answer, so a create is only repeated after checking whether the object exists.`;

  constructor(facts: ApiFacts, elapsedMs: number) {
    const seconds = Math.round(elapsedMs / 100) / 10;
    super(`no ${facts.status === undefined ? "" : "whole "}answer within ${seconds} s`, facts, {
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
