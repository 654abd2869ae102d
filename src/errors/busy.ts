import { ApiError, type ApiFacts } from "./api-error";

/** Status 503 or 429: the service is busy, and stayed so through all attempts. */
export class Busy extends ApiError {
  static readonly code = "TENANCY_API_BUSY";
  static readonly explanation = `
The service asked to try again later (status 503 or 429), and kept saying so until \`max_retries\` was used up. A lower \`max_concurrency\`
puts less load on it.`;

  constructor(facts: ApiFacts) {
    super(`the service is busy (${facts.status ?? 503})`, facts, {
      advice: "Run again later, or with a lower max_concurrency.",
    });
  }

  override get transient(): boolean {
    return true;
  }

  /** A 429 is judged before any work is done; after a 503 nothing is certain. */
  override get uncertain(): boolean {
    return this.status !== 429;
  }
}
