import { TenancyError, type ErrorDetails } from "./tenancy-error";

/** What is known of a request that failed. Texts are plain and without secrets already. */
export interface ApiFacts {
  readonly method: string;
  /** Path below the base URL, such as `/api/account/ACT07…`. */
  readonly path: string;
  /** Status of the answer, where there was one. */
  readonly status?: number | undefined;
  /** What the service says of it, on one line. */
  readonly says?: string | undefined;
  /** Which attempt this was, from 1. */
  readonly attempt?: number | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** False where it is certain that nothing of the request was sent. @default true */
  readonly sent?: boolean | undefined;
}

/** Base of everything that goes wrong between a request and its answer. */
export abstract class ApiError extends TenancyError {
  readonly request: ApiFacts;

  constructor(what: string, facts: ApiFacts, details: ErrorDetails = {}) {
    const detail = [details.detail, said(facts), tried(facts)]
      .filter((part) => part !== undefined)
      .join("\n");
    super(`${facts.method} ${facts.path}: ${what}`, { ...details, ...(detail !== "" && { detail }) });
    this.request = facts;
  }

  /** Status of the answer, where there was one. */
  get status(): number | undefined {
    return this.request.status;
  }

  /** Whether the same request may succeed a little later. */
  get transient(): boolean {
    return false;
  }

  /** Whether the service may have done, in spite of this error, what it was asked for. */
  get uncertain(): boolean {
    return false;
  }
}

function said({ says }: ApiFacts): string | undefined {
  return says === undefined || says === "" ? undefined : `The service says: ${says}`;
}

function tried({ attempt = 1 }: ApiFacts): string | undefined {
  return attempt > 1 ? `Tried ${attempt} times.` : undefined;
}
