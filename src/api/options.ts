/** Defines and checks the options of a client. */
import { constants } from "node:buffer";
import { setMaxListeners } from "node:events";
import { invalidSetting, invalidValue, plainHttp } from "../problems";
import { plainText } from "../lib/values";
import { checkCredentials, Concealed, type Credentials } from "./identity";
import { type Clock, type Limiter, processLimiter, systemClock } from "./limiter";
import { Redactor } from "./redact";
import { References } from "./references";
import { proxyFor, type ProxySettings } from "./transport";

export interface ClientOptions {
  /** Address of the service without `/api`: https, or plain http to this very machine. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** PEM text of the certificates to trust in place of the public ones (see {@link readCaFile}). */
  readonly ca?: string | undefined;
  /** The values of `HTTPS_PROXY` and `NO_PROXY` (see {@link proxyFromEnvironment}). */
  readonly proxy?: ProxySettings | undefined;
  /** Header that carries one-time passwords. @default "X-Service-OTP" */
  readonly otpHeader?: string | undefined;
  /** Longest time for a request with its whole answer; a long list gets more as it flows. @default 30000 */
  readonly requestTimeoutMs?: number | undefined;
  /** Time for which a request is repeated after its first failure; 0: never. @default 120000 */
  readonly retryTimeoutMs?: number | undefined;
  /** Time for the first answer to any request, with all repetitions. @default 10000, or requestTimeoutMs where that is given and longer */
  readonly contactTimeoutMs?: number | undefined;
  /** Requests under way at once. @default 10 */
  readonly maxConcurrency?: number | undefined;
  /** Refuse everything but GET and log-in. @default false */
  readonly readOnly?: boolean | undefined;
  /** Called after every attempt, for progress, logs and tests. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called before every wait for a retry. */
  readonly onWait?: ((wait: RetryWait) => void) | undefined;
  /** Stops reading, waiting and retrying. A write in progress is left to end. */
  readonly signal?: AbortSignal | undefined;
  /** Ends only waits for a retry. @default none; {@link signal} ends waits as well */
  readonly waitSignal?: AbortSignal | undefined;
  /** Counts the requests under way. @default one for the process */
  readonly limiter?: Limiter | undefined;
  /** @default the system's */
  readonly clock?: Clock | undefined;
  /** Numbers from 0 to 1, for the jitter of delays. @default Math.random */
  readonly random?: (() => number) | undefined;
}

/** One attempt at a request; holds no body and no header. */
export interface RequestEvent {
  readonly method: string;
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  /** Status of the answer, where one came. */
  readonly status?: number;
  /** Code of the error, where none came. */
  readonly error?: string;
  readonly durationMs: number;
}

/** A wait for the next attempt at a request, and its reason. */
export interface RetryWait {
  readonly method: string;
  readonly path: string;
  /** Status of the answer; undefined if none came. */
  readonly status: number | undefined;
  /** Attempts that have failed, from 1. */
  readonly attempt: number;
  readonly ms: number;
}

/** A client's options with every default filled in, and every value checked. */
export interface ClientSettings {
  readonly origin: string;
  readonly base: string;
  readonly credentials: Concealed<Credentials>;
  readonly ca: string | undefined;
  /** Its address may hold a password. */
  readonly proxy: Concealed<URL> | undefined;
  readonly otpHeader: string;
  readonly requestTimeoutMs: number;
  readonly retryTimeoutMs: number;
  readonly contactTimeoutMs: number;
  readonly maxConcurrency: number;
  readonly onRequest: (event: RequestEvent) => void;
  readonly onWait: (wait: RetryWait) => void;
  readonly signal: AbortSignal | undefined;
  readonly waitSignal: AbortSignal | undefined;
  /** Remembers the secrets that no text may show. */
  readonly redactor: Redactor;
  /** Remembers the forms in which the service names its records. */
  readonly references: References;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Beyond this, Node's timers go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws invalidSetting, plainHttp */
export function clientSettingsOf(options: ClientOptions): ClientSettings {
  const { origin, base } = parseBaseUrl(options.baseUrl);
  const credentials = checkCredentials(options.credentials);
  const proxy = proxyFor(origin, options.proxy);
  const redactor = new Redactor();
  learn(redactor, credentials, proxy);
  return {
    origin,
    base,
    credentials: new Concealed(credentials),
    proxy: proxy && new Concealed(proxy),
    redactor,
    references: new References(),
    ca: options.ca,
    otpHeader: options.otpHeader ?? "X-Service-OTP",
    requestTimeoutMs: Math.min(options.requestTimeoutMs ?? 30_000, LONGEST_TIMER_MS),
    retryTimeoutMs: options.retryTimeoutMs ?? 120_000,
    contactTimeoutMs: options.contactTimeoutMs ?? Math.max(10_000, options.requestTimeoutMs ?? 0),
    maxConcurrency: Math.max(1, options.maxConcurrency ?? 10),
    onRequest: options.onRequest ?? (() => undefined),
    onWait: options.onWait ?? (() => undefined),
    signal: options.signal && listenedToByMany(options.signal),
    waitSignal: options.waitSignal && listenedToByMany(options.waitSignal),
    limiter: options.limiter ?? processLimiter,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  };
}

/** Each request listens to the signal, and Node takes more than ten listeners for a leak. */
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

// The address of the service, and the origins that may be asked.

/**
 * Checks the address of the service.
 * @throws invalidSetting, plainHttp
 */
export function parseBaseUrl(
  text: string,
  setting: "base_url" | "TENANCY_BASE_URL" | "--base-url" | "--environment" = "base_url",
): {
  /** Scheme, host and port, to which credentials are bound. */
  readonly origin: string;
  /** Origin and, where the service lives below one, the path; without a slash at the end. */
  readonly base: string;
} {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined) throw invalidSetting.error({ setting, why: "it is not a valid URL" });
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw invalidSetting.error({ setting, why: `it begins with ${plainText(url.protocol, 20)}, not https:` });
  if (url.username !== "" || url.password !== "")
    throw invalidSetting.error({ setting, why: "it contains a username or a password" });
  if (url.search !== "" || url.hash !== "")
    throw invalidSetting.error({ setting, why: "it contains a query or a fragment" });
  const path = url.pathname.replace(/\/+$/, "");
  if (/\/api$/i.test(path))
    throw invalidSetting.error({ setting, why: "it ends in /api, which is added to it" });
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname))
    throw plainHttp.error({ setting, host: url.hostname });
  return { origin: url.origin, base: url.origin + path };
}

/**
 * An id or serial as one segment of a path.
 * @throws invalidValue if it would make another path than meant
 */
export function segment(reference: string): string {
  if (reference === "" || reference === "." || reference === ".." || /\p{Surrogate}/u.test(reference))
    throw invalidValue.error(`${JSON.stringify(plainText(reference, 80))} is not a valid id or serial`, {
      advice: "Use the id or serial as the service shows it.",
    });
  return encodeURIComponent(reference).replaceAll("%3A", ":");
}

// The largest answers that are accepted.

/** A list may be as large as a string can be, about 500 MiB. */
export const MAX_LIST_BYTES = constants.MAX_STRING_LENGTH;

/** One record. */
export const MAX_RECORD_BYTES = 16 * 2 ** 20;

/** A host name, as `URL` writes it, that can only mean this very machine. */
const LOOPBACK = /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;
