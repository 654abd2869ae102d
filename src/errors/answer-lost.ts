import { ApiError, type ApiFacts } from "./api-error";

/** Something was asked for, and nobody can tell whether it was done. */
export class AnswerLost extends ApiError {
  static readonly code = "TENANCY_ANSWER_LOST";
  static readonly explanation = `
A create or the minting of a token was sent, and its answer was lost: it is not known whether the service did it. A create is repeated only
after looking for the object by its uuid, and here looking failed too; a token cannot be looked for at all, because its secret is shown
once. Run again when the service is healthy: an object that exists is recognised by its uuid. A token that nobody holds should be revoked at
the service.`;

  /** What went wrong first. */
  readonly lost: ApiError | undefined;
  /** Serial of the token that was minted, where at least that much arrived. */
  readonly serial: string | undefined;

  constructor(
    facts: ApiFacts,
    object: string,
    rest: {
      lost?: ApiError | undefined;
      serial?: string | undefined;
      detail?: string | undefined;
      advice: string;
    },
  ) {
    super(`it is not known whether ${object}`, facts, {
      detail: [rest.detail, rest.lost && `The answer was lost: ${rest.lost.message}.`]
        .filter(Boolean)
        .join(" "),
      advice: rest.advice,
    });
    this.lost = rest.lost;
    this.serial = rest.serial;
  }

  override get uncertain(): boolean {
    return true;
  }
}
