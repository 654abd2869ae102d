/** Errors between a request and its answer. */
import type { Path } from "../values";
import { type Diagnostic, type ErrorDetails, TenancyError, type Whereabouts } from "./problem";

/** What is known of a request that failed. Texts are plain and without secrets already. */
export interface ApiFacts {
  readonly method: string;
  /** Path below the base URL, such as `/api/account/ACT07…`. */
  readonly path: string;
  /** Status of the answer, where there was one. */
  readonly status?: number | undefined;
  /** The explanation in the answer, on one line. */
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

  /** True if the service may have carried out the request in spite of this error. */
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

/** A request was sent, and it is not known whether it was carried out. */
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

  /** An answer of success in the wrong shape is still a success. */
  override get uncertain(): boolean {
    return this.status !== undefined && (this.status < 300 || this.status >= 500);
  }
}

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

/** Status 409: it clashes with what exists. */
export class Conflict extends ApiError {
  static readonly code = "TENANCY_API_CONFLICT";
  static readonly explanation = `
The request clashes with what the service holds (status 409): most often a name or uuid that is already taken.`;

  constructor(facts: ApiFacts) {
    super("clashes with what the service holds", facts, {
      advice: "Choose another name, or adopt what exists with an import block.",
    });
  }
}

/** The connection broke before an answer began. */
export class ConnectionLost extends ApiError {
  static readonly code = "TENANCY_API_CONNECTION_LOST";
  static readonly explanation = `
The connection was closed or reset after the request was sent, before an answer began. It is not known whether the service did the work, so
a create is only repeated after checking whether the object exists.`;

  constructor(facts: ApiFacts, why: string) {
    super(`the connection was lost: ${why}`, facts, { advice: "Run again; what has been applied stays." });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return this.request.sent !== false;
  }
}

/** A gateway between us and the service answered in its place. */
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

/** Status 410: the object was deleted. */
export class Gone extends ApiError {
  static readonly code = "TENANCY_API_GONE";
  static readonly explanation = `
The object existed, and has been deleted (status 410). Its id does not come back.`;

  constructor(facts: ApiFacts) {
    super("has been deleted", facts, { advice: "Remove the reference to it from the configuration." });
  }
}

/** Status 405: the service does not do this over its API. */
export class MethodUnsupported extends ApiError {
  static readonly code = "TENANCY_API_METHOD";
  static readonly explanation = `
The service does not support this operation over its API (status 405). Not every deployment lets tokens be revoked that way: there,
revoke them with the service's own tools.`;

  constructor(facts: ApiFacts) {
    super("the service does not support this operation", facts, {
      advice: "Use the service's own tools for it.",
    });
  }
}

/** Status 404: there is no such object, or the caller may not see it. */
export class NotFound extends ApiError {
  static readonly code = "TENANCY_API_NOT_FOUND";
  static readonly explanation = `
The service knows no such object (status 404), or none that the caller can see. Another id or serial, another service, or an object
that was removed outside this configuration are the usual reasons.`;

  constructor(facts: ApiFacts) {
    super("not found", facts, {
      advice: "Check the id or serial, the base URL, and that the caller can see the object.",
    });
  }
}

/** Status 500: the service failed, and failed again when asked again. */
export class ServerFailed extends ApiError {
  static readonly code = "TENANCY_API_SERVER";
  static readonly explanation = `
The service failed unexpectedly (status 500). Reads, updates and deletes were tried several times; a create is only repeated after checking
whether the object exists. What was applied before stays: run again once the service is healthy.`;

  constructor(facts: ApiFacts) {
    super("the service failed (500)", facts, {
      advice: "Run again later; if this persists, look in the service's log.",
    });
  }

  override get transient(): boolean {
    return true;
  }

  override get uncertain(): boolean {
    return true;
  }
}

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

/** No connection to the service. */
export class Unreachable extends ApiError {
  static readonly code = "TENANCY_API_UNREACHABLE";
  static readonly explanation = `
No connection to the service (or to the proxy in front of it) could be made: its name is unknown, nothing listens there, or the way is
blocked. Nothing was sent. Check \`base_url\`, \`HTTPS_PROXY\` and \`NO_PROXY\`.`;

  constructor(
    facts: ApiFacts,
    readonly target: string,
    readonly why: string,
    private readonly passing: boolean = true,
  ) {
    super(
      `no connection to ${target}: ${why}`,
      { ...facts, sent: false },
      {
        advice: "Check base_url, the network, and HTTPS_PROXY and NO_PROXY where a proxy is used.",
      },
    );
  }

  override get transient(): boolean {
    return this.passing;
  }
}

/** One member that the service does not accept. */
export interface RefusedField {
  /** Where the member stands in the body, and so in the resource; empty where the service did not say. */
  readonly path: Path;
  /** Kind of failure, such as `missing`. */
  readonly type: string | undefined;
  /** The service's explanation, plain and without secrets. */
  readonly message: string;
}

/** Status 400: the service does not accept the body. Makes one diagnostic per field (spec 7). */
export class ValidationRefused extends ApiError {
  static readonly code = "TENANCY_API_VALIDATION";
  static readonly explanation = `
The service refused a request as invalid (status 400) and changed nothing. Each finding names the attribute that the service objects to, and
repeats its words. Where it names none, the request as a whole was refused: one common reason is a name that is already taken.`;

  readonly fields: readonly RefusedField[];

  constructor(facts: ApiFacts, fields: readonly RefusedField[]) {
    super("the service does not accept these values", facts, {
      advice: "Correct the values and run again.",
    });
    this.fields = fields;
  }

  override toDiagnostics(where: Whereabouts = {}): readonly Diagnostic[] {
    if (this.fields.length === 0) return super.toDiagnostics(where);
    return this.fields.map(({ path, message }) => ({
      ...where,
      severity: "error",
      code: this.code,
      summary: `the service does not accept this value: ${message}`,
      detail: `${this.request.method} ${this.request.path} answered ${this.status ?? 400}.`,
      ...(this.advice !== undefined && { advice: this.advice }),
      ...(path.length > 0 && { attribute: [...(where.attribute ?? []), ...path] }),
    }));
  }
}
