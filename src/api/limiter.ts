/** Limits how many requests run at once, over all clients of a process. */
import { setTimeout as timeout } from "node:timers/promises";
import { cancelled } from "../problems";

interface Waiting {
  readonly ceiling: number;
  readonly begin: () => void;
}

/** Requests run in the order of their arrival; each brings the ceiling of its client. */
export class Limiter {
  #running = 0;
  readonly #queue: Waiting[] = [];

  get running(): number {
    return this.#running;
  }

  /** Runs the work as soon as fewer than `ceiling` are running. An abort takes it out of the queue. */
  async run<T>(ceiling: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Most requests need not wait.
    if (this.#queue.length === 0 && this.#running < ceiling && !signal?.aborted) this.#running++;
    else await this.#admission(ceiling, signal);
    try {
      return await work();
    } finally {
      this.#running--;
      this.#admit();
    }
  }

  #admission(ceiling: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        ceiling,
        begin: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(cancelled.error("a request that waited for its turn"));
        this.#admit();
      };
      if (signal?.aborted) return reject(cancelled.error("a request"));
      signal?.addEventListener("abort", leave, { once: true });
      this.#queue.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    for (
      let next = this.#queue[0];
      next !== undefined && this.#running < next.ceiling;
      next = this.#queue[0]
    ) {
      this.#queue.shift();
      this.#running++;
      next.begin();
    }
  }
}

/** The limiter that all clients share unless they are given another. */
export const processLimiter = new Limiter();

/** Time, and waiting: replaceable, so that tests need not wait. */
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
 * A clock for the age of read data: it never goes back, and goes on while the machine is suspended. The monotonic clock stops during
 * suspension, and the wall clock may be set, so from one call to the next the larger difference counts.
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
