import { ApiError, type ApiFacts } from "./api-error";

/** The answer broke off, or is not complete JSON. */
export class AnswerTruncated extends ApiError {
  static readonly code = "TENANCY_API_TRUNCATED";
  static readonly explanation = `
The connection ended in the middle of an answer, or the answer is not complete JSON. What arrived of it is never used: half a list would
look like objects that are gone.`;

  constructor(facts: ApiFacts, why: string) {
    super(`the answer is incomplete: ${why}`, facts, {
      advice: "Run again; if this persists, look for a proxy or gateway that cuts answers off.",
    });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return true;
  }
}
