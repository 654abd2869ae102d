import { ApiError, type ApiFacts } from "./api-error";

/** An answer that the API's description does not know. */
export class AnswerUnexpected extends ApiError {
  static readonly code = "TENANCY_API_UNEXPECTED";
  static readonly explanation = `
The service answered with a status that its API does not describe, or with JSON of an unexpected shape: no list where a list belongs, no
object where a record belongs. Nothing is concluded from such an answer. The usual reason is a base URL that leads to another service.`;

  constructor(facts: ApiFacts, what: string) {
    super(`unexpected answer: ${what}`, facts, {
      advice: "Check that base_url leads to this service's API.",
    });
  }

  /** A success of the wrong shape is a success all the same. */
  override get uncertain(): boolean {
    return this.status !== undefined && (this.status < 300 || this.status >= 500);
  }
}
