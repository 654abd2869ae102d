import { ApiError, type ApiFacts } from "./api-error";

/** The answer is larger than any that makes sense. */
export class AnswerTooLarge extends ApiError {
  static readonly code = "TENANCY_API_TOO_LARGE";
  static readonly explanation = `
The answer is larger than what can be held: 16 MiB for one record, about 500 MiB for a list. It was cut off and not used.`;

  constructor(facts: ApiFacts, limitBytes: number) {
    super(`the answer is larger than ${Math.round(limitBytes / 2 ** 20)} MiB`, facts, {
      advice: "Check that base_url leads to this service's API.",
    });
  }

  override get uncertain(): boolean {
    return true;
  }
}
