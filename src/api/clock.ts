/** Time, and waiting: replaceable, so that tests need not wait. */
import { setTimeout as timeout } from "node:timers/promises";

export interface Clock {
  /** Milliseconds that never jump: for durations. */
  monotonic(): number;
  /** Milliseconds since 1970: for one-time passwords and HTTP dates. */
  wall(): number;
  /** Rejects as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) => timeout(ms, undefined, signal && { signal }),
};

/**
 * A clock for the age of what was read: milliseconds that never go back, and go on while the machine is suspended. The monotonic clock stands
 * still then, the wall clock may be set: from one call to the next counts what the larger of both says.
 */
export function ageClock({ monotonic, wall }: Pick<Clock, "monotonic" | "wall">): () => number {
  let elapsed = 0;
  let last = { monotonic: monotonic(), wall: wall() };
  return () => {
    const now = { monotonic: monotonic(), wall: wall() };
    elapsed += Math.max(now.monotonic - last.monotonic, now.wall - last.wall);
    last = now;
    return elapsed;
  };
}

/** The clock that says when something was read, the same one for the whole process. */
export const readingClock = ageClock(systemClock);
