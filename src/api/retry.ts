/** When a request may be made again, and after how long. */
import { ApiError } from "../errors";

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Whether a request may be repeated without looking. What can be repeated without harm is, after any passing failure; all
 * else only where it is certain that the service did not act.
 */
export function mayRepeat(error: unknown, harmless: boolean): error is ApiError {
  return error instanceof ApiError && error.transient && (harmless || !error.uncertain);
}

/**
 * Milliseconds to wait before the next attempt: exponential with full jitter, and never less than the service asks for
 * (up to a minute).
 * @param failed how many attempts have failed, from 1
 * @param random a number from 0 to 1
 */
export function backOff(failed: number, random: number, retryAfterMs = 0): number {
  const ceiling = Math.min(FIRST_DELAY_MS * 2 ** (failed - 1), LONGEST_DELAY_MS);
  return Math.max(ceiling * random, Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
}

/** Reads `Retry-After`, seconds or an HTTP date, as milliseconds from now. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
