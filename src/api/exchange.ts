/** One request on the wire, and what came of it. No credentials, no retries, no meaning: bytes out, text in. */
import type { Dispatcher } from "undici";
import { AnswerTooLarge, Cancelled, TimedOut, type ApiFacts } from "../errors";
import { connectionFailure, type Stage } from "./connection-failure";

export interface WireRequest {
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Largest answer that is taken, in bytes. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What errors say of this request. */
  readonly facts: ApiFacts;
  /** Whom the connection is made to, for errors. */
  readonly target: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** An answer stalls when less than this comes in a span of `timeoutMs`. */
const PROGRESS_BYTES = 64 * 1024;

/**
 * A request has `timeoutMs` in all, from its start to the end of its answer. A long list gets more as it flows: each of these bytes that
 * has come gives it another `timeoutMs`, in proportion, up to so many times as much. Informational answers (1xx) give nothing.
 */
const BYTES_PER_TIMEOUT = 4 * 2 ** 20;
const MOST_TIMEOUTS = 10;

/**
 * Sends a request and reads its answer whole.
 * @throws ApiError of the kinds that stand for a lost or missing answer; Cancelled
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
    this.#timer = setTimeout(() => this.#judgeTime(), request.timeoutMs);
    this.#onAbort = () => this.#fail(new Cancelled(`${request.facts.method} ${request.facts.path}`));
    request.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The connection stands, and the request is about to be written. */
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
    this.#stage = "answering";
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#request.maxBytes)
      return this.#fail(new AnswerTooLarge(this.#facts(), this.#request.maxBytes));
    if (this.#bytes - this.#bytesAtProgress < PROGRESS_BYTES) return;
    this.#bytesAtProgress = this.#bytes;
    this.#progressAt = performance.now();
  }

  onResponseEnd(): void {
    this.#settle();
    if (this.#failure !== undefined) return;
    const text = Buffer.concat(this.#chunks, this.#bytes).toString("utf8");
    this.#resolve({ status: this.#status, headers: this.#headers, text: withoutByteOrderMark(text) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(connectionFailure(error, this.#stage, this.#facts(), this.#request.target));
  }

  /** Gives the request up when its time is over; looks again later when what has come since gave it more. */
  #judgeTime(): void {
    const { timeoutMs } = this.#request;
    const inAll = timeoutMs * Math.min(1 + this.#bytes / BYTES_PER_TIMEOUT, MOST_TIMEOUTS);
    const now = performance.now();
    const left = Math.min(this.#started + inAll, this.#progressAt + timeoutMs) - now;
    if (left <= 0) this.#fail(new TimedOut(this.#facts(), now - this.#started));
    else this.#timer = setTimeout(() => this.#judgeTime(), Math.ceil(left));
  }

  /** The first failure counts; what the torn connection reports afterwards does not. */
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

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
