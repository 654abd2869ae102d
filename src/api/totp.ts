/** One-time passwords computed from a secret (RFC 6238). */
import { createHash } from "node:crypto";
import { Secret, TOTP, URI } from "otpauth";
import { Cancelled, InvalidTotpSecret } from "../errors";
import type { Clock } from "./clock";

/** A clock set back further than this many steps is believed rather than waited for. */
const LONGEST_WAIT_STEPS = 4;

/** The last step spent of each secret in this process: a service takes each code once. */
const spent = new Map<string, number>();

export class OneTimePasswords {
  readonly #totp: TOTP;
  readonly #clock: Clock;
  readonly #key: string;

  /** @throws InvalidTotpSecret */
  constructor(secret: string, clock: Clock) {
    this.#totp = parseSecret(secret.trim());
    this.#clock = clock;
    this.#key = createHash("sha256").update(this.#totp.secret.bytes).digest("hex");
  }

  /** The next code that was not given out yet; waits for its time to come. */
  async next(signal?: AbortSignal): Promise<string> {
    const stepMs = this.#totp.period * 1000;
    const present = Math.floor(this.#clock.wall() / stepMs);
    const following = (spent.get(this.#key) ?? -1) + 1;
    const step = following > present + LONGEST_WAIT_STEPS ? present : Math.max(present, following);
    spent.set(this.#key, step);
    const wait = step * stepMs - this.#clock.wall();
    if (wait > 0)
      await this.#clock.sleep(wait, signal).catch(() => {
        throw new Cancelled("waiting for the next one-time password");
      });
    return this.#totp.generate({ timestamp: step * stepMs });
  }
}

function parseSecret(text: string): TOTP {
  if (/^otpauth:/i.test(text)) return parseAddress(text);
  const bare = text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  if (!/^[A-Z2-7]+$/.test(bare)) throw new InvalidTotpSecret("it is not base32");
  return new TOTP({ secret: decoded(bare) });
}

function parseAddress(text: string): TOTP {
  let parsed: unknown;
  try {
    parsed = URI.parse(text);
  } catch {
    // The library's error repeats what it read.
    throw new InvalidTotpSecret("its otpauth address is incomplete");
  }
  if (!(parsed instanceof TOTP)) throw new InvalidTotpSecret("it is counter-based (hotp)");
  return parsed;
}

function decoded(base32: string): Secret {
  const secret = Secret.fromBase32(base32);
  if (secret.bytes.length === 0) throw new InvalidTotpSecret("it is too short");
  return secret;
}
