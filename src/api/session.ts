/** The session that a password opens: at the first request that needs it, and again before it ends. */
import { ApiError, OtpRefused, OtpRequired, OtpSpent, Unauthenticated } from "../errors";
import type { Clock } from "./clock";
import type { PasswordCredentials } from "./identity";
import { OneTimePasswords } from "./totp";

/** What a log-in gives. */
export interface OpenedSession {
  readonly token: string;
  readonly lifetimeMs: number;
}

export type LogIn = (login: { username: string; password: string; otp?: string }) => Promise<OpenedSession>;

/** Renewed this much before its end, or at a tenth of its life where that is less. */
const MARGIN_MS = 60_000;

export class Session {
  readonly #credentials: PasswordCredentials;
  readonly #logIn: LogIn;
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;
  readonly #passwords: OneTimePasswords | undefined;
  #otp: string | undefined;
  #token: string | undefined;
  #renewAt = 0;
  #opening: Promise<string> | undefined;
  /** A refused log-in is not repeated: services lock users out for that. */
  #refusal: Error | undefined;

  constructor(credentials: PasswordCredentials, logIn: LogIn, clock: Clock, signal?: AbortSignal) {
    this.#credentials = credentials;
    this.#logIn = logIn;
    this.#clock = clock;
    this.#signal = signal;
    this.#otp = credentials.otp;
    if (credentials.totpSecret !== undefined)
      this.#passwords = new OneTimePasswords(credentials.totpSecret, clock);
  }

  /** A token that is good for a while yet. */
  async token(): Promise<string> {
    const fresh = this.#clock.monotonic() < this.#renewAt || !this.#renewable;
    return this.#token !== undefined && fresh ? this.#token : this.#open();
  }

  /** Another token than the one that was refused. */
  async renewed(refused: string): Promise<string> {
    if (this.#token === refused) this.#token = undefined;
    return this.token();
  }

  /** A session that cannot be renewed is used to its very end. */
  get #renewable(): boolean {
    return this.#credentials.otp === undefined || this.#otp !== undefined || this.#passwords !== undefined;
  }

  /** Whoever comes while a log-in is under way waits for that one. */
  #open(): Promise<string> {
    this.#opening ??= this.#logInOnce().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #logInOnce(): Promise<string> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const { username, password } = this.#credentials;
    const otp = await this.#nextOtp();
    const asked = this.#clock.monotonic();
    try {
      const { token, lifetimeMs } = await this.#logIn({
        username,
        password,
        ...(otp !== undefined && { otp }),
      });
      this.#token = token;
      this.#renewAt = asked + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 10);
      return token;
    } catch (error) {
      if (error instanceof Unauthenticated || error instanceof OtpRefused || error instanceof OtpRequired)
        this.#refusal = error;
      // A code that was certainly not looked at serves again.
      else if (error instanceof ApiError && !error.uncertain) this.#otp ??= otp;
      throw error;
    }
  }

  /** The code that was given serves first, and once; then those that can be computed. */
  async #nextOtp(): Promise<string | undefined> {
    const given = this.#otp;
    this.#otp = undefined;
    if (given !== undefined) return given;
    if (this.#passwords !== undefined) return this.#passwords.next(this.#signal);
    if (this.#credentials.otp !== undefined) throw new OtpSpent();
    return undefined;
  }
}
