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
