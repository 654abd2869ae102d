/** What a client is made with. */
import type { Clock } from "./clock";
import type { Credentials } from "./identity";
import type { Limiter } from "./limiter";
import type { ProxySettings } from "./proxy";
import type { Redactor } from "./redact";

export interface ClientOptions {
  /** Address of the service without `/api`: https, or plain http to this very machine. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** PEM text of the certificates to trust in place of the public ones (see {@link readCaFile}). */
  readonly ca?: string | undefined;
  /** What `HTTPS_PROXY` and `NO_PROXY` hold (see {@link proxyFromEnvironment}). */
  readonly proxy?: ProxySettings | undefined;
  /** Header that carries one-time passwords. @default "X-Service-OTP" */
  readonly otpHeader?: string | undefined;
  /** Header by which an administrator acts as another user; deployments name it differently. @default none */
  readonly switchUserHeader?: string | undefined;
  /** Longest time for a request with its whole answer; a long list gets more as it flows. @default 30000 */
  readonly requestTimeoutMs?: number | undefined;
  /** How often a request is repeated after its first attempt. @default 5 */
  readonly maxRetries?: number | undefined;
  /** Requests under way at once. @default 10 */
  readonly maxConcurrency?: number | undefined;
  /** Refuse everything but GET and log-in. @default false */
  readonly readOnly?: boolean | undefined;
  /** Told of every attempt, for progress, logs and tests. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Told of every wait before a request is repeated, in milliseconds. */
  readonly onWait?: ((ms: number) => void) | undefined;
  /** Stops reading, waiting and repeating; a write that is under way is left to end. */
  readonly signal?: AbortSignal | undefined;
  /** Where secrets are remembered that no text may show. @default one of the client's own */
  readonly redactor?: Redactor | undefined;
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
