/** A client's options with every default filled in, and every value checked. */
import { setMaxListeners } from "node:events";
import { systemClock, type Clock } from "./clock";
import { checkCredentials, type Credentials } from "./identity";
import { processLimiter, type Limiter } from "./limiter";
import { Concealed } from "./concealed";
import type { ClientOptions, RequestEvent } from "./options";
import { proxyFor } from "./proxy";
import { Redactor } from "./redact";
import { parseBaseUrl } from "./url";

export interface Settings {
  readonly origin: string;
  readonly base: string;
  readonly credentials: Concealed<Credentials>;
  readonly ca: string | undefined;
  /** Its address may hold a password. */
  readonly proxy: Concealed<URL> | undefined;
  readonly otpHeader: string;
  readonly switchUserHeader: string | undefined;
  readonly requestTimeoutMs: number;
  readonly maxRetries: number;
  readonly maxConcurrency: number;
  readonly onRequest: (event: RequestEvent) => void;
  readonly onWait: (ms: number) => void;
  readonly signal: AbortSignal | undefined;
  readonly redactor: Redactor;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Beyond this, Node's timers go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws InvalidUrl, PlainHttp, InvalidCredentials */
export function settingsOf(options: ClientOptions): Settings {
  const { origin, base } = parseBaseUrl(options.baseUrl);
  const credentials = checkCredentials(options.credentials);
  const proxy = proxyFor(origin, options.proxy);
  const redactor = options.redactor ?? new Redactor();
  learn(redactor, credentials, proxy);
  return {
    origin,
    base,
    credentials: new Concealed(credentials),
    proxy: proxy && new Concealed(proxy),
    redactor,
    ca: options.ca,
    otpHeader: options.otpHeader ?? "X-Service-OTP",
    switchUserHeader: options.switchUserHeader,
    requestTimeoutMs: Math.min(options.requestTimeoutMs ?? 30_000, LONGEST_TIMER_MS),
    maxRetries: options.maxRetries ?? 5,
    maxConcurrency: Math.max(1, options.maxConcurrency ?? 10),
    onRequest: options.onRequest ?? (() => undefined),
    onWait: options.onWait ?? (() => undefined),
    signal: options.signal && listenedToByMany(options.signal),
    limiter: options.limiter ?? processLimiter,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** Each request under way listens to it, and Node takes more than ten listeners for a leak. */
function listenedToByMany(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

function learn(redactor: Redactor, credentials: Credentials, proxy: URL | undefined): void {
  if (credentials.kind === "token") redactor.learn(credentials.token);
  else {
    redactor.learnBasic(credentials.username, credentials.password);
    redactor.learn(credentials.otp);
    redactor.learn(credentials.totpSecret);
  }
  if (proxy !== undefined && proxy.password !== "") {
    redactor.learn(proxy.password);
    redactor.learnBasic(decodeURIComponent(proxy.username), decodeURIComponent(proxy.password));
  }
}
