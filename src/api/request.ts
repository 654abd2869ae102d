/** Makes one request: its attempts, its redirects, its report, and its retries. */
import {
  ApiError,
  type ApiFacts,
  cancelled,
  readOnly,
  redirectRefused,
  TenancyError,
  unauthenticated,
} from "../problems";
import { stringifyJson } from "../lib/values";
import { bodyOf, errorOf, headerOf, isOnePage, type Reply, SUCCESS, unauthorizedError } from "./answer";
import type { Answer } from "./exchange";
import type { Authority, Identity } from "./identity";
import { MAX_RECORD_BYTES, type ClientSettings } from "./options";
import type { Redactor } from "./redact";
import { authorityOf, type LogIn, Session } from "./session";
import { Transport } from "./transport";

// One request: may it be sent, under which identity, and again?

/** The path of a log-in, the only POST that a read-only client may send. */
export const LOG_IN_PATH = "/api/oauth2/token";

interface ChannelOptions {
  readonly readOnly: boolean;
  /** Logs in over a channel. */
  readonly openSession: (channel: Channel, login: Parameters<LogIn>[0]) => ReturnType<LogIn>;
  /** The channel that lends its connections and session. */
  readonly parent?: Channel;
}

export class Channel {
  readonly settings: ClientSettings;
  readonly #readOnly: boolean;
  readonly #openSession: ChannelOptions["openSession"];
  readonly #transport: Transport;
  readonly #session: Session | undefined;

  constructor(settings: ClientSettings, { readOnly: isReadOnly, openSession, parent }: ChannelOptions) {
    this.settings = settings;
    this.#readOnly = isReadOnly;
    this.#openSession = openSession;
    this.#transport = parent === undefined ? new Transport(settings) : parent.#transport;
    this.#session = parent === undefined ? this.#ownSession() : parent.#session;
  }

  /** The same connections and session, for GET and log-in alone. */
  readOnly(): Channel {
    return new Channel(this.settings, { readOnly: true, openSession: this.#openSession, parent: this });
  }

  /** The same connections and session, even after the run was stopped. Retries end soon: a user waits for the end of the run. */
  unstoppable(): Channel {
    const retryTimeoutMs = Math.min(this.settings.retryTimeoutMs, LONGEST_WAIT_AFTER_STOP_MS);
    const settings = { ...this.settings, signal: undefined, waitSignal: undefined, retryTimeoutMs };
    return new Channel(settings, { readOnly: this.#readOnly, openSession: this.#openSession, parent: this });
  }

  /**
   * Sends a request until its answer is certain, or cannot be had.
   * @throws readOnly before anything is sent; cancelled; the answer's ApiError
   */
  async send(request: ApiRequest): Promise<Reply> {
    const { method, path, harmless = method !== "POST" } = request;
    if (this.#readOnly && method !== "GET" && path !== LOG_IN_PATH) throw readOnly.error({ method, path });
    let renewed = false;
    const retries = this.retries();
    for (;;) {
      const authority = await this.#authority(request);
      try {
        return await attempt(this.settings, this.#transport, request, authority, retries.attempt);
      } catch (error) {
        if (unauthenticated.is(error) && authority.session !== undefined && !renewed) {
          renewed = true;
          await this.#session?.renewed(authority.session);
        } else if (!mayRepeat(error, harmless) || !(await retries.waitAfter(error))) throw error;
      }
    }
  }

  /** For one request, or one operation of several requests. */
  retries(): Retries {
    return new Retries(this.settings, this.#transport);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #ownSession(): Session | undefined {
    const { clock, signal } = this.settings;
    const credentials = this.settings.credentials.reveal();
    if (credentials.kind !== "password") return undefined;
    return new Session(credentials, (login) => this.#openSession(this, login), clock, signal);
  }

  async #authority({ as = { kind: "own" }, method, path }: ApiRequest): Promise<Authority> {
    if (this.settings.signal?.aborted) throw cancelled.error(`${method} ${path}`);
    return authorityOf(as, this.settings, this.#session);
  }
}

/** A request to the service, as its caller describes it. */
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
  /** True if a repetition does no harm. @default true for all but POST */
  readonly harmless?: boolean;
  /** True to take a connection of its own. */
  readonly fresh?: boolean;
}

/**
 * One attempt at a request: its turn, its redirects, its report, and the result of its answer.
 * @throws cancelled, and the ApiError of the answer or of its absence
 */
async function attempt(
  settings: ClientSettings,
  transport: Transport,
  request: ApiRequest,
  authority: Authority,
  count: number,
): Promise<Reply> {
  const { redactor, clock } = settings;
  const facts: ApiFacts = { method: request.method, path: redactor.plain(request.path), attempt: count };
  const answer = await lastAnswer(settings, transport, request, authority, facts);
  if (SUCCESS.has(answer.status)) {
    const body = bodyOf(answer, facts, redactor);
    return {
      body,
      facts: { status: answer.status, ...facts },
      isOnePage: isOnePage(answer, body),
    };
  }
  if (answer.status === 401)
    throw unauthorizedError(answer, facts, authority.credential, request.otp !== undefined, settings);
  throw errorOf(answer, facts, redactor, clock.wall());
}

/** Redirects of a GET are followed as long as they stay within the origin. */
async function lastAnswer(
  settings: ClientSettings,
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
    const exchange = () => reportExchange(settings, facts, () => transport.exchange({ url, ...wire }));
    const answer = await limiter.run(maxConcurrency, exchange, signal);
    if (!([301, 302, 303, 307, 308].includes(answer.status) && headerOf(answer, "location") !== undefined))
      return answer;
    url = redirectTarget(url, answer, facts, hops, settings.redactor);
  }
}

function headersOf(
  authority: Authority,
  otp: string | undefined,
  otpHeader: string,
  hasBody: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "tenancy",
    ...authority.headers,
  };
  if (otp !== undefined) headers[otpHeader] = otp;
  // An empty body has no type: strict services refuse "JSON" that is none.
  if (hasBody) headers["content-type"] = "application/json";
  return headers;
}

async function reportExchange(
  settings: ClientSettings,
  facts: ApiFacts,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { onRequest, clock } = settings;
  const { method, path, attempt: count = 1 } = facts;
  const started = clock.monotonic();
  const report = (outcome: { status: number } | { error: string }) =>
    onRequest({ method, path, attempt: count, durationMs: clock.monotonic() - started, ...outcome });
  const answer = await send().catch((error: unknown) => {
    report({ error: error instanceof TenancyError ? error.code : "unknown" });
    throw error;
  });
  report({ status: answer.status });
  return answer;
}

// Retries: when, after how long, and until when.

/** Counts the attempts at one request, and waits between them. */
export class Retries {
  readonly #settings: ClientSettings;
  readonly #transport: Transport;
  #attempt = 1;
  #endsAt: number | undefined;

  constructor(settings: ClientSettings, transport: Transport) {
    this.#settings = settings;
    this.#transport = transport;
  }

  /** Number of the present attempt, from 1. */
  get attempt(): number {
    return this.#attempt;
  }

  /**
   * Waits for the next attempt. The time for retries begins with the first failure, so that a slow failure is repeated, too.
   * @returns false if there shall be no next attempt: the time is over, or shorter than the wait that the service asks for, or the run was
   *   stopped
   */
  async waitAfter({ request, status }: ApiError): Promise<boolean> {
    const { retryTimeoutMs, clock, random, signal, waitSignal, onWait } = this.#settings;
    const now = clock.monotonic();
    this.#endsAt ??= now + retryTimeoutMs;
    const timeLeft = Math.min(this.#endsAt - now, this.#transport.firstAnswer.timeLeft);
    const delay = backOff(this.#attempt, random(), request.retryAfterMs);
    const isStopped = signal?.aborted === true || waitSignal?.aborted === true;
    if (timeLeft <= 0 || isStopped || askedDelay(request.retryAfterMs) > timeLeft) return false;
    const ms = Math.min(delay, timeLeft);
    onWait({ method: request.method, path: request.path, status, attempt: this.#attempt, ms });
    const signals = [signal, waitSignal].filter((one) => one !== undefined);
    return clock.sleep(ms, signals.length > 1 ? AbortSignal.any(signals) : signals[0]).then(
      () => {
        this.#attempt++;
        return true;
      },
      () => false,
    );
  }
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 60_000;
const LONGEST_WAIT_AFTER_STOP_MS = 10_000;

/**
 * True if a request may be repeated without a look at the service: harmless ones after any passing failure, all others only if the service
 * certainly did not act.
 */
function mayRepeat(error: unknown, harmless: boolean): error is ApiError {
  return error instanceof ApiError && error.transient && (harmless || !error.uncertain);
}

/**
 * Milliseconds to wait before the next attempt: exponential, of which a random part of up to one half is left out, and never less than the service
 * asks for (up to a minute).
 * @param failedAttempts how many attempts have failed, from 1
 * @param random a number from 0 to 1
 */
export function backOff(failedAttempts: number, random: number, retryAfterMs = 0): number {
  const ceiling = Math.min(FIRST_DELAY_MS * 2 ** (failedAttempts - 1), LONGEST_DELAY_MS);
  return Math.max((ceiling * (1 + random)) / 2, askedDelay(retryAfterMs));
}

function askedDelay(retryAfterMs = 0): number {
  return Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS);
}

// Redirects are followed where that is safe, and refused where credentials would leave their origin.

const MOST_HOPS = 5;

/**
 * The target of a redirect.
 * @throws redirectRefused unless it is a GET's, within the origin, and not the sixth in a row
 */
function redirectTarget(
  from: URL,
  answer: Answer,
  requestFacts: ApiFacts,
  hops: number,
  redactor: Redactor,
): URL {
  const facts = { ...requestFacts, status: answer.status };
  const location = headerOf(answer, "location") ?? "";
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target === undefined)
    throw redirectRefused.error(facts, { target: "nowhere", why: "its address cannot be read" });
  const plainTarget = redactor.plain(target.origin + target.pathname, 200);
  if (target.origin !== from.origin)
    throw redirectRefused.error(facts, { target: plainTarget, why: "credentials stay with their origin" });
  if (facts.method !== "GET")
    throw redirectRefused.error(facts, { target: plainTarget, why: "a write is not repeated elsewhere" });
  if (hops >= MOST_HOPS)
    throw redirectRefused.error(facts, { target: plainTarget, why: "it goes in circles" });
  target.username = target.password = "";
  return target;
}
