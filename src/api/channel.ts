/** The life of a request: may it be sent, as whom, and again? */
import { Cancelled, ReadOnly, Unauthenticated } from "../errors";
import { attempt, type Reply, type ApiRequest } from "./attempt";
import { authorityOf, type Authority } from "./authority";
import { backOff, mayRepeat } from "./retry";
import { Session, type LogIn } from "./session";
import type { Settings } from "./settings";
import { Transport } from "./transport";

/** Where a log-in goes: the one POST that also a client that only reads may send. */
export const LOG_IN_PATH = "/api/oauth2/token";

export interface ChannelOptions {
  readonly readOnly: boolean;
  /** How to log in over a channel. */
  readonly openSession: (channel: Channel, login: Parameters<LogIn>[0]) => ReturnType<LogIn>;
  /** A channel whose connections and session to use. */
  readonly shared?: Channel;
}

export class Channel {
  readonly settings: Settings;
  readonly #readOnly: boolean;
  readonly #openSession: ChannelOptions["openSession"];
  readonly #transport: Transport;
  readonly #session: Session | undefined;

  constructor(settings: Settings, { readOnly, openSession, shared }: ChannelOptions) {
    this.settings = settings;
    this.#readOnly = readOnly;
    this.#openSession = openSession;
    this.#transport = shared === undefined ? new Transport(settings) : shared.#transport;
    this.#session = shared === undefined ? this.#ownSession() : shared.#session;
  }

  /** The same connections and session, for GET and log-in alone. */
  readOnly(): Channel {
    return new Channel(this.settings, { readOnly: true, openSession: this.#openSession, shared: this });
  }

  /** The same connections and session, though the run was stopped. */
  unstoppable(): Channel {
    const settings = { ...this.settings, signal: undefined };
    return new Channel(settings, { readOnly: this.#readOnly, openSession: this.#openSession, shared: this });
  }

  /**
   * Sends a request until its answer is certain, or not to be had.
   * @throws ReadOnly before anything is sent; Cancelled; the ApiError that the answer stands for
   */
  async send(request: ApiRequest): Promise<Reply> {
    const { method, path, harmless = method !== "POST" } = request;
    if (this.#readOnly && method !== "GET" && path !== LOG_IN_PATH) throw new ReadOnly(method, path);
    let renewed = false;
    for (let count = 1; ;) {
      const authority = await this.#authority(request);
      try {
        return await attempt(this.settings, this.#transport, request, authority, count);
      } catch (error) {
        if (error instanceof Unauthenticated && authority.session !== undefined && !renewed) {
          renewed = true;
          await this.#session?.renewed(authority.session);
        } else if (mayRepeat(error, harmless) && (await this.pause(count, error.request.retryAfterMs)))
          count++;
        else throw error;
      }
    }
  }

  /**
   * Waits before another attempt.
   * @returns false where there shall be none: retries are spent, or the run was stopped
   */
  async pause(failed: number, retryAfterMs?: number): Promise<boolean> {
    const { maxRetries, clock, random, signal, onWait } = this.settings;
    if (failed > maxRetries || signal?.aborted) return false;
    const ms = backOff(failed, random(), retryAfterMs);
    onWait(ms);
    return clock.sleep(ms, signal).then(
      () => true,
      () => false,
    );
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
    if (this.settings.signal?.aborted) throw new Cancelled(`${method} ${path}`);
    return authorityOf(as, this.settings, this.#session);
  }
}
