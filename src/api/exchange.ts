/** Sends one request and receives its answer as text. It adds no credentials, does not retry, and does not interpret the answer. */
import type { Dispatcher } from "undici";
import {
  answerTooLarge,
  answerTruncated,
  type Advice,
  type ApiError,
  type ApiFacts,
  cancelled,
  connectionLost,
  timedOut,
  unreachable,
  untrusted,
} from "../problems";
import type { Clock } from "./limiter";

export interface WireRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Largest answer that is taken, in bytes. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly firstAnswer: FirstAnswer;
  readonly signal?: AbortSignal | undefined;
  /** The facts about this request that errors show. */
  readonly facts: ApiFacts;
  /** The other end of the connection, for errors. */
  readonly target: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The first answer of a service to any request, and the time that is left for it. */
export class FirstAnswer {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #endsAt: number;
  hasBegun = false;

  constructor(clock: Pick<Clock, "monotonic">, timeoutMs: number) {
    this.#clock = clock;
    this.#endsAt = clock.monotonic() + timeoutMs;
  }

  /** Milliseconds; Infinity once an answer has begun. */
  get timeLeft(): number {
    return this.hasBegun ? Infinity : this.#endsAt - this.#clock.monotonic();
  }
}

/** A service that never answered is asked once more by each later request, for so long. */
const LAST_ATTEMPT_MS = 1000;

/** An answer stalls when less than this comes in a span of `timeoutMs`. */
const PROGRESS_BYTES = 64 * 1024;

/**
 * A request has `timeoutMs` in all, from its start to the end of its answer. A long list gets more as it flows: each of these bytes that
 * has come gives it another `timeoutMs`, in proportion, up to so many times as much. Informational answers (1xx) give nothing.
 */
const BYTES_PER_TIMEOUT = 4 * 2 ** 20;
const MOST_TIMEOUTS = 10;

/**
 * Sends a request and reads its complete answer.
 * @throws ApiError of the kinds for a lost or missing answer; cancelled
 */
export function exchange(dispatcher: Dispatcher, request: WireRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader(request, resolve, reject);
    const { method, url, headers, body = null } = request;
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method, headers: { ...headers }, body },
      reader,
    );
  });
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #started = performance.now();
  #progressAt = this.#started;
  #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #stage: Stage = "connecting";
  #status = 0;
  #headers: Answer["headers"] = {};
  #bytes = 0;
  #bytesAtProgress = 0;
  #failure: Error | undefined;

  constructor(request: WireRequest, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    const timeLeft = Math.max(request.firstAnswer.timeLeft, LAST_ATTEMPT_MS);
    this.#timer = setTimeout(() => this.#judgeTime(), Math.min(request.timeoutMs, timeLeft));
    this.#onAbort = () => this.#fail(cancelled.error(`${request.facts.method} ${request.facts.path}`));
    request.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The connection is open, and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure !== undefined) return controller.abort(this.#failure);
    this.#controller = controller;
    this.#stage = "sent";
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer["headers"],
  ): void {
    if (status < 200) return;
    this.#request.firstAnswer.hasBegun = true;
    this.#stage = "answering";
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#request.maxBytes)
      return this.#fail(answerTooLarge.error(this.#facts(), this.#request.maxBytes));
    if (this.#bytes - this.#bytesAtProgress < PROGRESS_BYTES) return;
    this.#bytesAtProgress = this.#bytes;
    this.#progressAt = performance.now();
  }

  onResponseEnd(): void {
    this.#settle();
    if (this.#failure !== undefined) return;
    const text = Buffer.concat(this.#chunks, this.#bytes).toString("utf8");
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      text: text.startsWith("\ufeff") ? text.slice(1) : text,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(connectionFailure(error, this.#stage, this.#facts(), this.#request.target));
  }

  /** Ends the request when its time is over. If data has arrived in the meantime, checks again later. */
  #judgeTime(): void {
    const { timeoutMs, firstAnswer } = this.#request;
    const inAll = timeoutMs * Math.min(1 + this.#bytes / BYTES_PER_TIMEOUT, MOST_TIMEOUTS);
    const now = performance.now();
    const remainingMs = Math.min(this.#started + inAll, this.#progressAt + timeoutMs) - now;
    if (remainingMs <= 0 || !firstAnswer.hasBegun)
      this.#fail(timedOut.error(this.#facts(), now - this.#started));
    else this.#timer = setTimeout(() => this.#judgeTime(), Math.ceil(remainingMs));
  }

  /** The first failure counts; later reports of the torn connection do not. */
  #fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#settle();
    this.#reject(error);
    this.#controller?.abort(error);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener("abort", this.#onAbort);
  }

  #facts(): ApiFacts {
    return {
      ...this.#request.facts,
      sent: this.#stage !== "connecting",
      ...(this.#status !== 0 && { status: this.#status }),
    };
  }
}

// Errors of connections. The texts are written here, since messages of libraries may hold bytes of an answer.

/** The stages of a request. */
type Stage = "connecting" | "sent" | "answering";

function connectionFailure(error: Error, stage: Stage, facts: ApiFacts, target: string): ApiError {
  const code = causeCode(error);
  if (stage === "answering") return answerTruncated.error(facts, "the connection ended in the middle of it");
  if (stage === "sent" && (code.startsWith("HPE_") || code === "HTTPParserError"))
    return answerTruncated.error(facts, "it is not HTTP");
  if (stage === "sent") return connectionLost.error(facts, LOST_CONNECTIONS[code] ?? `closed (${code})`);
  const distrust = DISTRUST[code] ?? (isTlsFailure(code) ? NO_TLS : undefined);
  if (distrust !== undefined) return untrusted.error(facts, { why: distrust.why, advice: distrust.advice });
  const refusal = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  if (refusal !== undefined)
    return unreachable.error(facts, {
      target,
      why: `the proxy refuses the connection (${refusal})`,
      passing: refusal.startsWith("5"),
    });
  return unreachable.error(facts, {
    target,
    why: WHY[code] ?? `no connection (${code})`,
    passing: !LASTING.has(code),
  });
}

/** The code of an error, or of its cause. */
function causeCode(error: Error): string {
  const cause = error.cause instanceof Error ? causeCode(error.cause) : undefined;
  const own = (error as NodeJS.ErrnoException).code;
  const code = cause !== undefined && (own === undefined || own.startsWith("UND_ERR")) ? cause : own;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : error.name;
}

function isTlsFailure(code: string): boolean {
  return (
    code === "EPROTO" ||
    code.startsWith("ERR_SSL_") ||
    code.startsWith("ERR_TLS_") ||
    code.startsWith("CERT_")
  );
}

/** Failures that a second attempt cannot fix. */
const LASTING = new Set(["ENOTFOUND", "UND_ERR_INVALID_ARG"]);

const LOST_CONNECTIONS: Record<string, string> = {
  ECONNRESET: "reset",
  EPIPE: "closed while the request was sent",
  UND_ERR_SOCKET: "closed without an answer",
};

const WHY: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "its name is unknown",
  EAI_AGAIN: "its name cannot be looked up at the moment",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "it does not answer",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer",
  ECONNRESET: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_INVALID_ARG: "the request cannot be written; check the names of headers",
};

interface Distrust {
  readonly why: string;
  readonly advice: Advice;
}

const UNKNOWN_ISSUER: Distrust = {
  why: "the certificate is signed by an unknown authority",
  advice: (say) =>
    `Set ${say.name("ca_file")} (TENANCY_CA_FILE) to the service's CA certificate in PEM form.`,
};

const NO_TLS: Distrust = {
  why: "no secure connection could be agreed on",
  advice: (say) => `Check scheme and port of ${say.name("base_url")}: does the service use https there?`,
};

const DISTRUST: Record<string, Distrust> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    why: "the certificate is self-signed",
    advice: (say) => `Set ${say.name("ca_file")} (TENANCY_CA_FILE) to that certificate in PEM form.`,
  },
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  CERT_SIGNATURE_FAILURE: UNKNOWN_ISSUER,
  CERT_UNTRUSTED: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: {
    why: "the certificate has expired",
    advice: "Have the service's certificate renewed, or check this machine's clock.",
  },
  CERT_NOT_YET_VALID: {
    why: "the certificate is not valid yet",
    advice: "Check this machine's clock.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: "the certificate is issued for another name",
    advice: (say) => `In ${say.name("base_url")}, use the name that the certificate is issued for.`,
  },
};
