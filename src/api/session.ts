/** Keeps the session that a password opens: opened at the first request that needs it, and renewed before it ends. */
import { createHash } from "node:crypto";
import { Secret, TOTP, URI } from "otpauth";
import {
  ApiError,
  cancelled,
  invalidSetting,
  otpRefused,
  otpRequired,
  otpSpent,
  unauthenticated,
} from "../problems";
import { type Authority, basic, bearer, type Identity, type PasswordCredentials } from "./identity";
import type { Clock } from "./limiter";
import type { ClientSettings } from "./options";

/** The result of a log-in. */
export interface OpenedSession {
  readonly token: string;
  readonly lifetimeMs: number;
}

export type LogIn = (login: { username: string; password: string; otp?: string }) => Promise<OpenedSession>;

/** The session is renewed this long before its end, or at a tenth of its life if that is less. */
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
  async renewed(refusedToken: string): Promise<string> {
    if (this.#token === refusedToken) this.#token = undefined;
    return this.token();
  }

  /** A session that cannot be renewed is used until it ends. */
  get #renewable(): boolean {
    return this.#credentials.otp === undefined || this.#otp !== undefined || this.#passwords !== undefined;
  }

  /** A request that arrives during a log-in waits for that log-in. */
  #open(): Promise<string> {
    this.#opening ??= this.#logInOnce().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #logInOnce(): Promise<string> {
    if (this.#refusal !== undefined) throw this.#refusal;
    try {
      const { token, lifetimeMs, askedAt } = await this.#withCode((otp) => this.#ask(otp));
      this.#token = token;
      this.#renewAt = askedAt + lifetimeMs - Math.min(MARGIN_MS, lifetimeMs / 10);
      return token;
    } catch (error) {
      if (isLogInRefused(error)) this.#refusal = error;
      throw error;
    }
  }

  async #ask(otp: string | undefined): Promise<OpenedSession & { readonly askedAt: number }> {
    const { username, password } = this.#credentials;
    const askedAt = this.#clock.monotonic();
    return {
      ...(await this.#logIn({ username, password, ...(otp !== undefined && { otp }) })),
      askedAt,
    };
  }

  /** A given code is used first, and once; after it, computed codes. */
  async #withCode<T>(logIn: (otp: string | undefined) => Promise<T>): Promise<T> {
    const code = this.#otp;
    this.#otp = undefined;
    if (code === undefined && this.#passwords !== undefined)
      return this.#passwords.logIn(logIn, this.#signal);
    if (code === undefined && this.#credentials.otp !== undefined) throw otpSpent.error();
    try {
      return await logIn(code);
    } catch (error) {
      // A code that the service has certainly not seen can be used again.
      if (!isLogInRefused(error) && error instanceof ApiError && !error.uncertain) this.#otp ??= code;
      throw error;
    }
  }
}

function isLogInRefused(error: unknown): error is Error {
  return unauthenticated.is(error) || otpRefused.is(error) || otpRequired.is(error);
}

// Headers that prove the identity of a request.

/**
 * @param session the client's own, if it logs in with a password
 * @throws invalidSetting, and every error of a log-in
 */
export async function authorityOf(
  identity: Identity,
  settings: ClientSettings,
  session: Session | undefined,
): Promise<Authority> {
  switch (identity.kind) {
    case "nobody":
      return { headers: {}, credential: "password" };
    case "basic":
      settings.redactor.learnBasic(identity.username, identity.password);
      return {
        headers: { authorization: basic(identity.username, identity.password) },
        credential: "password",
      };
    case "bearer":
      settings.redactor.learn(identity.token.trim());
      return { headers: { authorization: bearer(identity.token) }, credential: "token" };
    case "own":
      return ownAuthority(settings, session);
  }
}

async function ownAuthority(settings: ClientSettings, session: Session | undefined): Promise<Authority> {
  const credentials = settings.credentials.reveal();
  if (credentials.kind === "token")
    return { headers: { authorization: bearer(credentials.token) }, credential: "token" };
  if (session === undefined) throw new TypeError("a client with a password has a session");
  const token = await session.token();
  return { headers: { authorization: bearer(token) }, credential: "session", session: token };
}

// One-time passwords, computed from a shared secret (RFC 6238).

/** If the clock was set back by more than this many steps, the clock is believed, and nothing waits for it. */
const LONGEST_WAIT_STEPS = 4;

/**
 * A service takes each code once. Another process may have sent the code of the present step: an earlier command, or a second provider
 * alias of the same user under Terraform, where each alias is a process of its own. So a refused code is tried again in the next steps. Two
 * aliases that start when the code was already used need three codes.
 */
const MOST_CODES = 3;

/** A refusal that does not ask for a code may be due to the password, for which services lock users out. */
const MOST_CODES_UNNAMED = 2;

/**
 * The last step spent of each secret. Kept for the process and not for a run: the next run may begin within the same step, and a service
 * takes each code once.
 */
const spentSteps = new Map<string, number>();

export class OneTimePasswords {
  readonly #totp: TOTP;
  readonly #clock: Clock;
  readonly #key: string;

  /** @throws invalidSetting */
  constructor(secret: string, clock: Clock) {
    this.#totp = parseSecret(secret.trim());
    this.#clock = clock;
    this.#key = createHash("sha256").update(this.#totp.secret.bytes).digest("hex");
  }

  /**
   * Logs in with the next code. If the service refuses the code, the log-in is repeated with the code of the next time step.
   * @throws the error of the last log-in
   */
  async logIn<T>(attempt: (code: string) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let codes = 1; ; codes++)
      try {
        return await attempt(await this.next(signal));
      } catch (error) {
        const most = otpRefused.is(error) ? MOST_CODES : unauthenticated.is(error) ? MOST_CODES_UNNAMED : 1;
        if (codes >= most) throw error;
      }
  }

  /** The next code that was not used yet; waits until its time. */
  async next(signal?: AbortSignal): Promise<string> {
    const stepMs = this.#totp.period * 1000;
    const present = Math.floor(this.#clock.wall() / stepMs);
    const following = (spentSteps.get(this.#key) ?? -1) + 1;
    const step = following > present + LONGEST_WAIT_STEPS ? present : Math.max(present, following);
    spentSteps.set(this.#key, step);
    const wait = step * stepMs - this.#clock.wall();
    if (wait > 0)
      await this.#clock.sleep(wait, signal).catch(() => {
        throw cancelled.error("waiting for the next one-time password");
      });
    return this.#totp.generate({ timestamp: step * stepMs });
  }
}

function parseSecret(text: string): TOTP {
  if (/^otpauth:/i.test(text)) return parseAddress(text);
  // As in `two_factor_secret`: hexadecimal characters alone are hexadecimal, and a blank marks base32.
  if (/^([\dA-F]{2})+$/i.test(text)) return new TOTP({ secret: Secret.fromHex(text) });
  const bare = text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  if (!/^[A-Z2-7]+$/.test(bare))
    throw invalidSetting.error({ setting: "totp_secret", why: "it is neither base32 nor hexadecimal" });
  return new TOTP({ secret: decodeSecret(bare) });
}

function parseAddress(text: string): TOTP {
  let otp: unknown;
  try {
    otp = URI.parse(text);
  } catch {
    // The library's error repeats its input.
    throw invalidSetting.error({ setting: "totp_secret", why: "its otpauth address is incomplete" });
  }
  if (!(otp instanceof TOTP))
    throw invalidSetting.error({ setting: "totp_secret", why: "it is counter-based (hotp)" });
  return otp;
}

function decodeSecret(base32: string): Secret {
  const secret = Secret.fromBase32(base32);
  if (secret.bytes.length === 0)
    throw invalidSetting.error({ setting: "totp_secret", why: "it is too short" });
  return secret;
}
