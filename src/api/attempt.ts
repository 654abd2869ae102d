/** One attempt at a request: its turn, its redirects, its report, and what its answer means. */
import { TenancyError, type ApiFacts } from "../errors";
import { stringifyJson, type Value } from "../values";
import { bodyOf, errorOf, headerOf, isSuccess } from "./answer";
import type { Authority } from "./authority";
import type { Answer } from "./exchange";
import type { Identity } from "./identity";
import { MAX_RECORD_BYTES } from "./limits";
import { followed, isRedirect } from "./redirect";
import type { Settings } from "./settings";
import type { Transport } from "./transport";
import { unauthorized } from "./unauthorized";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the base URL, each segment encoded; with a query where there is one. */
  readonly path: string;
  readonly body?: unknown;
  /** @default the client's own credentials */
  readonly as?: Identity;
  /** One-time password to go along. */
  readonly otp?: string | undefined;
  /** Largest answer in bytes. @default 16 MiB */
  readonly maxBytes?: number;
  /** Whether doing it twice does no harm. @default true for all but POST */
  readonly harmless?: boolean;
  /** Whether to take a connection of its own. */
  readonly fresh?: boolean;
}

export interface Reply {
  /** Undefined where the answer had none. */
  readonly body: Value | undefined;
  readonly etag: string | undefined;
  /** For errors about what the body holds. */
  readonly facts: ApiFacts;
}

/** @throws Cancelled, and the ApiError that the answer, or its absence, stands for */
export async function attempt(
  settings: Settings,
  transport: Transport,
  request: ApiRequest,
  authority: Authority,
  count: number,
): Promise<Reply> {
  const { redactor, clock } = settings;
  const facts: ApiFacts = { method: request.method, path: redactor.plain(request.path), attempt: count };
  const answer = await lastAnswer(settings, transport, request, authority, facts);
  if (isSuccess(answer)) {
    const body = bodyOf(answer, facts, redactor);
    return { body, etag: headerOf(answer, "etag"), facts: { ...facts, status: answer.status } };
  }
  if (answer.status === 401)
    throw unauthorized(answer, facts, authority.credential, request.otp !== undefined, settings);
  throw errorOf(answer, facts, redactor, clock.wall());
}

/** Redirects of a GET are followed as long as they stay within the origin. */
async function lastAnswer(
  settings: Settings,
  transport: Transport,
  request: ApiRequest,
  authority: Authority,
  facts: ApiFacts,
): Promise<Answer> {
  const { limiter, maxConcurrency, signal } = settings;
  const body = request.body === undefined ? undefined : stringifyJson(request.body);
  const wire = {
    method: request.method,
    body,
    facts,
    headers: headersOf(authority, request.otp, settings.otpHeader, body !== undefined),
    maxBytes: request.maxBytes ?? MAX_RECORD_BYTES,
    fresh: request.fresh,
    // A write is never cut off: its answer matters.
    signal: request.method === "GET" ? signal : undefined,
  };
  let url = new URL(settings.base + request.path);
  for (let hops = 0; ; hops++) {
    const exchange = () => reported(settings, facts, () => transport.exchange({ ...wire, url }));
    const answer = await limiter.run(maxConcurrency, exchange, signal);
    if (!isRedirect(answer)) return answer;
    url = followed(url, answer, facts, hops, settings.redactor);
  }
}

function headersOf(
  authority: Authority,
  otp: string | undefined,
  otpHeader: string,
  hasBody: boolean,
): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "cdktf-provider-tenancy",
    ...authority.headers,
    ...(otp !== undefined && { [otpHeader]: otp }),
    // An empty body has no type: strict services refuse "JSON" that is none.
    ...(hasBody && { "content-type": "application/json" }),
  };
}

async function reported(settings: Settings, facts: ApiFacts, send: () => Promise<Answer>): Promise<Answer> {
  const { onRequest, clock } = settings;
  const { method, path, attempt: count = 1 } = facts;
  const started = clock.monotonic();
  const report = (outcome: { status: number } | { error: string }) =>
    onRequest({ method, path, attempt: count, ...outcome, durationMs: clock.monotonic() - started });
  const answer = await send().catch((error: unknown) => {
    report({ error: error instanceof TenancyError ? error.code : "unknown" });
    throw error;
  });
  report({ status: answer.status });
  return answer;
}
