import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** What is known of a token that was not revoked. */
export interface RevocationFacts {
  /** Whether the service answered that it does not revoke over its API. */
  readonly isUnsupported?: boolean;
  /** Set where the service refuses the token, and that proves nothing. */
  readonly unproven?: {
    /** Why the service did not delete it. */
    readonly said: string;
    /** Why else it may be refused, as a clause: "its user is not activated". */
    readonly reason: string;
  };
}

/** A token is still good although it should be revoked, or may be good again. */
export class NotRevoked extends TenancyError {
  static readonly code = "TENANCY_NOT_REVOKED";
  static readonly explanation = `
A token counts as revoked when the service deleted it and refuses it since; or, where the service did not delete it, when the service refuses
it although its user is active, has API access and stands in an account that is not disabled. Here the token still works, or its refusal proves
nothing: the token of a suspended user works again as soon as the user is active. Some deployments do not revoke tokens over the API (status
405): revoke it there with the service's own tools; the next run finds it refused and goes on. The token stays in the state or store until
then.`;

  constructor(serial: string, facts: RevocationFacts = {}, details: ErrorDetails = {}) {
    const { isUnsupported = false, unproven } = facts;
    const revoke = `Revoke ${serial} with the service's own tools`;
    super(summaryOf(serial, facts), {
      ...(unproven !== undefined && !isUnsupported && { detail: `It was not deleted: ${unproven.said}.` }),
      advice:
        unproven === undefined
          ? `${revoke}, then run again.`
          : `${revoke}. It counts as revoked when it is refused while its user is active, or once its user is gone.`,
      ...details,
    });
  }
}

function summaryOf(serial: string, { isUnsupported = false, unproven }: RevocationFacts): string {
  const unsupported = "the service does not revoke tokens over its API";
  if (unproven === undefined)
    return isUnsupported
      ? `${unsupported}, and the token ${serial} is still good`
      : `the token ${serial} is still good after it was revoked`;
  const doubt = `the token ${serial} may be good again: it is refused now, and ${unproven.reason}`;
  return isUnsupported ? `${unsupported}, and ${doubt}` : doubt;
}
