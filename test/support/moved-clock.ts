/** Moves the wall clock of this process: `Date` alone, so that nothing waits. The clock goes back when the test ends. */
export function moveClock(now: string): void {
  jest.useFakeTimers({
    now: new Date(now),
    doNotFake: [
      ...(["hrtime", "nextTick", "performance", "queueMicrotask", "setImmediate", "clearImmediate"] as const),
      ...(["setInterval", "clearInterval", "setTimeout", "clearTimeout"] as const),
    ],
  });
}

/** Call it once in a suite that moves its clock. */
export function clockGoesBack(): void {
  afterEach(() => {
    jest.useRealTimers();
  });
}
