/** How many requests are under way at once, over all clients of a process. */
import { Cancelled } from "../errors";

interface Waiting {
  readonly ceiling: number;
  readonly begin: () => void;
}

/** First come, first served; each request brings the ceiling of its client. */
export class Limiter {
  #running = 0;
  readonly #queue: Waiting[] = [];

  get running(): number {
    return this.#running;
  }

  /** Runs the work as soon as fewer than `ceiling` are running. An abort takes it out of the queue. */
  async run<T>(ceiling: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#admission(ceiling, signal);
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
        reject(new Cancelled("a request that waited for its turn"));
        this.#admit();
      };
      if (signal?.aborted) return reject(new Cancelled("a request"));
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
