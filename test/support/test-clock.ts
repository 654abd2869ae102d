import type { Clock } from "../../src/api/limiter";

/** A clock that only `sleep` and `advance` move. `sleep` takes no time. */
export class TestClock implements Clock {
  /** The time of each `sleep`, in milliseconds. */
  readonly slept: number[] = [];

  constructor(private now = Date.parse("2025-01-01T00:00:00Z")) {}

  monotonic(): number {
    return this.now;
  }

  wall(): number {
    return this.now;
  }

  advance(ms: number): void {
    this.now += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.now += ms;
  }
}
