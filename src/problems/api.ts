/** Errors between a request and its answer. */
import type { Path } from "../lib/values";
import { type Finding, TenancyError, type Location } from "./problem";
import { type Advice, inWords, ways, type Words } from "./words";

/** Facts about a request that failed. Texts are plain and without secrets already. */
export interface ApiFacts {
  readonly method: string;
  /** Path below the base URL, such as `/api/account/ACT07…`. */
  readonly path: string;
  /** Status of the answer, where there was one. */
  readonly status?: number | undefined;
  /** The explanation in the answer, on one line. */
  readonly says?: string | undefined;
  /** The number of the attempt, from 1. */
  readonly attempt?: number | undefined;
  /** Time that the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** False if it is certain that nothing of the request was sent. @default true */
  readonly sent?: boolean | undefined;
}

/** One member that the service does not accept. */
export interface RefusedField {
  /** Place of the member in the body, and so in the resource; empty if the service did not say. */
  readonly path: Path;
  /** The service's explanation, plain and without secrets. */
  readonly message: string;
}

/** A problem between a request and its answer. Its texts use the facts and the details of the request. */
interface ApiDefinition<F> {
  readonly code: `TENANCY_${string}`;
  readonly summary: string | ((facts: F, request: ApiFacts) => string);
  readonly detail?: (facts: F) => string | undefined;
  readonly advice: string | ((facts: F, say: Words) => string | undefined);
  /** True if the same request may succeed a little later. @default false */
  readonly transient?: boolean | ((request: ApiFacts, facts: F) => boolean);
  /** True if the service may have carried out the request in spite of this. @default false */
  readonly uncertain?: boolean | ((request: ApiFacts) => boolean);
  /** Set where nothing of the request was sent. */
  readonly unsent?: true;
  /** The members that the service refuses: each is a finding of its own. */
  readonly fields?: (facts: F) => readonly RefusedField[];
}

/** Any failure between a request and its answer. */
export class ApiError<F = unknown> extends TenancyError<F> {
  readonly request: ApiFacts;
  /** True if the same request may succeed a little later. */
  readonly transient: boolean;
  /** True if the service may have carried out the request in spite of this error. */
  readonly uncertain: boolean;
  readonly #fields: readonly RefusedField[];

  constructor(definition: ApiDefinition<F>, request: ApiFacts, facts: F) {
    const { code, summary, advice, transient = false, uncertain = false } = definition;
    const what = typeof summary === "function" ? summary(facts, request) : summary;
    const detail = [definition.detail?.(facts), serviceSays(request), attemptsText(request)]
      .filter((part) => part !== undefined)
      .join("\n");
    super(
      {
        severity: "error",
        code,
        summary: `${request.method} ${request.path}: ${what}`,
        ...(detail !== "" && { detail }),
        advice: typeof advice === "function" ? (say) => advice(facts, say) : advice,
      },
      facts,
      undefined,
      definition,
    );
    this.request = definition.unsent ? { ...request, sent: false } : request;
    this.transient = typeof transient === "function" ? transient(request, facts) : transient;
    this.uncertain = typeof uncertain === "function" ? uncertain(request) : uncertain;
    this.#fields = definition.fields?.(facts) ?? [];
  }

  /** Status of the answer, where there was one. */
  get status(): number | undefined {
    return this.request.status;
  }

  override toFindings(where: Location = {}): readonly Finding[] {
    const whole = super.toFindings(where);
    if (this.#fields.length === 0) return whole;
    const [first, ...more] = whole;
    const advice = first?.advice;
    const fields = this.#fields.map(({ path, message }): Finding => ({
      ...where,
      severity: "error",
      code: this.code,
      summary: `the service does not accept this value: ${message}`,
      detail: `${this.request.method} ${this.request.path} answered ${this.status ?? 400}.`,
      ...(advice !== undefined && { advice }),
      ...(path.length > 0 && { attribute: [...(where.attribute ?? []), ...path] }),
    }));
    return [...fields, ...more];
  }
}

export class ApiProblem<F> {
  readonly code: string;
  readonly #definition: ApiDefinition<F>;

  constructor(definition: ApiDefinition<F>) {
    this.code = definition.code;
    this.#definition = definition;
  }

  /** To be thrown. */
  error(request: ApiFacts, facts: F): ApiError<F> {
    return new ApiError(this.#definition, request, facts);
  }

  /** True for an error of this problem. */
  is(error: unknown): error is ApiError<F> {
    return error instanceof ApiError && error.isOf(this.#definition);
  }
}

/** Defines a problem between a request and its answer. */
export function apiProblem<F = void>(definition: ApiDefinition<F>): ApiProblem<F> {
  return new ApiProblem(definition);
}

function serviceSays({ says }: ApiFacts): string | undefined {
  return says === undefined || says === "" ? undefined : `The service says: ${says}`;
}

function attemptsText({ attempt = 1 }: ApiFacts): string | undefined {
  return attempt > 1 ? `Tried ${attempt} times.` : undefined;
}

/** A request was sent, and it is not known whether it was carried out. */
export const answerLost = apiProblem<{
  /** A clause that names the unknown outcome. */
  object: string;
  /** The first error. */
  failure?: ApiError | undefined;
  detail?: string | undefined;
  advice: Advice;
}>({
  code: "TENANCY_ANSWER_LOST",
  summary: ({ object }) => `it is not known whether ${object}`,
  detail: ({ failure, detail }) =>
    [detail, failure && `The answer was lost: ${failure.message}.`].filter(Boolean).join(" ") || undefined,
  advice: ({ advice }, say) => inWords(advice, say),
  uncertain: true,
});

/** The answer is larger than any that makes sense. */
export const answerTooLarge = apiProblem<number>({
  code: "TENANCY_API_UNEXPECTED",
  summary: (limitBytes) => `the answer is larger than ${Math.round(limitBytes / 2 ** 20)} MiB`,
  advice: (_, say) => `Check that ${say.name("base_url")} leads to this service's API.`,
  uncertain: true,
});

/** The answer broke off, or is not complete JSON. */
export const answerTruncated = apiProblem<string>({
  code: "TENANCY_API_CONNECTION_LOST",
  summary: (why) => `the answer is incomplete: ${why}`,
  advice: "Run again; if this persists, look for a proxy or gateway that cuts answers off.",
  transient: true,
  uncertain: true,
});

/** An answer that the API's description does not know. */
export const answerUnexpected = apiProblem<string>({
  code: "TENANCY_API_UNEXPECTED",
  summary: (what) => `unexpected answer: ${what}`,
  advice: (_, say) => `Check that ${say.name("base_url")} leads to this service's API.`,
  // An answer of success in the wrong shape is still a success.
  uncertain: ({ status }) => status !== undefined && (status < 300 || status >= 500),
});

/** Status 503 or 429: the service is busy, and stayed so through all attempts. */
export const busy = apiProblem({
  code: "TENANCY_API_BUSY",
  summary: (_, { status }) => `the service is busy (${status ?? 503})`,
  advice: (_, say) => `Run again later, or with a lower ${say.name("max_concurrency")}.`,
  transient: true,
  // A 429 is judged before any work is done; after a 503 nothing is certain.
  uncertain: ({ status }) => status !== 429,
});

/** Status 409: it conflicts with an existing record. */
export const conflict = apiProblem({
  code: "TENANCY_API_CONFLICT",
  summary: "conflicts with an existing record",
  advice: (_, say) => ways("choose another name", say.importIt()),
});

/** The connection broke before an answer began. */
export const connectionLost = apiProblem<string>({
  code: "TENANCY_API_CONNECTION_LOST",
  summary: (why) => `the connection was lost: ${why}`,
  advice: "Run again; applied changes stay.",
  transient: true,
  uncertain: (request) => request.sent !== false,
});

/** A gateway between us and the service answered in its place. */
export const gatewayFailed = apiProblem({
  code: "TENANCY_API_GATEWAY",
  summary: (_, { status }) =>
    `a gateway answered instead of the service${status === undefined ? "" : ` (${status})`}`,
  advice: (_, say) =>
    `Check that ${say.name("base_url")} leads to the service itself, and that the service is running.`,
  transient: ({ status }) => [500, 502, 503, 504].includes(status ?? 0),
  // A gateway's refusal (4xx) kept the request from the service; any other page leaves it open.
  uncertain: ({ status }) => !(status !== undefined && status >= 400 && status < 500),
});

/** Status 410: the object was deleted. */
export const deletedAlready = apiProblem({
  code: "TENANCY_API_NOT_FOUND",
  summary: "has been deleted",
  advice: "Remove the reference to it from the configuration.",
});

/** Status 405: the service does not do this over its API. */
export const methodUnsupported = apiProblem({
  code: "TENANCY_API_METHOD",
  summary: "the service does not support this operation",
  advice: "Use the service's own tools for it.",
});

/** Status 404: there is no such object, or the caller may not see it. */
export const notFound = apiProblem({
  code: "TENANCY_API_NOT_FOUND",
  summary: "not found",
  advice: "Check the id or serial, the base URL, and that the caller can see the object.",
});

/** Status 500: the service failed, and failed again when asked again. */
export const serverFailed = apiProblem({
  code: "TENANCY_API_SERVER",
  summary: "the service failed (500)",
  advice: "Run again later; if this persists, look in the service's log.",
  transient: true,
  uncertain: true,
});

/** No answer in time. */
export const timedOut = apiProblem<number>({
  code: "TENANCY_API_TIMEOUT",
  summary: (elapsedMs, { status }) => {
    const seconds = Math.round(elapsedMs / 100) / 10;
    return `no ${status === undefined ? "" : "whole "}answer within ${seconds} s`;
  },
  advice: (_, say) =>
    `Check that the service is healthy and can be reached; a longer ${say.name("request_timeout")} helps with slow ones.`,
  transient: true,
  uncertain: (request) => request.sent !== false,
});

/** No connection to the service. */
export const unreachable = apiProblem<{ target: string; why: string; passing?: boolean | undefined }>({
  code: "TENANCY_API_UNREACHABLE",
  summary: ({ target, why }) => `no connection to ${target}: ${why}`,
  advice: (_, say) =>
    `Check ${say.name("base_url")}, the network, and HTTPS_PROXY and NO_PROXY where a proxy is used.`,
  unsent: true,
  transient: (_, { passing = true }) => passing,
});

/** Status 400: the service does not accept the body. Makes one diagnostic per field (spec 7). */
export const validationRefused = apiProblem<readonly RefusedField[]>({
  code: "TENANCY_API_VALIDATION",
  summary: "the service does not accept these values",
  advice: "Correct the values and run again.",
  fields: (fields) => fields,
});
