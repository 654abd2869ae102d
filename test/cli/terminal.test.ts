import type { Io } from "../../src/cli/io";
import { screenOf } from "../../src/cli/terminal";
import { until } from "../support/until";

function looking(environment: Record<string, string>, isTTY: boolean, columns = 12) {
  const printed = { stdout: "", stderr: "" };
  const io = {
    stdout: { isTTY, write: (text: string) => (printed.stdout += text) },
    stderr: { isTTY, columns, write: (text: string) => (printed.stderr += text) },
    environment,
  } as unknown as Io;
  return { io, printed };
}

test("on a terminal progress stands in one line, cut to its width, and gives way to what follows", () => {
  const { io, printed } = looking({}, true);
  const screen = screenOf(io, true);
  screen.progress("creating acme and more");
  screen.progress("short");
  screen.tell("done");
  expect(printed.stderr).toBe("creating ac\r           \rshort\r     \rdone\n");
});

describe("work that lasts", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test("shows on a terminal how far it is, how long it has taken, and about how long it will take", () => {
    const { io, printed } = looking({}, true, 80);
    const screen = screenOf(io, true);
    screen.progress("creating jane@acme", { done: 0, total: 2000 });
    jest.advanceTimersByTime(35_000);
    screen.progress("creating bob@acme", { done: 1200, total: 2000 });
    expect(lastLine(printed.stderr)).toBe("[1200/2000] 35 s, about 23 s left · creating bob@acme");
    jest.advanceTimersByTime(90_000);
    expect(lastLine(printed.stderr)).toBe("[1200/2000] 2 min 5 s, about 1 min 23 s left · creating bob@acme");
  });

  test("shows the reason of a wait while it waits", () => {
    const { io, printed } = looking({}, true, 80);
    const screen = screenOf(io, true);
    screen.progress("creating jane@acme", { done: 7, total: 9 });
    jest.advanceTimersByTime(5_000);
    const reason = "503 from POST /api/user-profile, attempt 3, next in 4 s";
    screen.showWait(reason, 4_000);
    expect(lastLine(printed.stderr)).toBe(`[7/9] 5 s · ${reason}`);
    jest.advanceTimersByTime(4_000);
    expect(lastLine(printed.stderr)).toBe("[7/9] 9 s, about 1 s left · creating jane@acme");
  });

  test("comes back below lines that are printed meanwhile, and ends with any other output", () => {
    const { io, printed } = looking({}, true, 80);
    const screen = screenOf(io, true);
    screen.progress("reading");
    jest.advanceTimersByTime(2_000);
    screen.tellSoon("one line");
    expect(printed.stderr).toMatch(/\rone line\n$/);
    jest.advanceTimersByTime(1_000);
    expect(lastLine(printed.stderr)).toBe("reading · 3 s");
    screen.print("the plan");
    const { length } = printed.stderr;
    jest.advanceTimersByTime(60_000);
    expect(printed.stderr).toHaveLength(length);
  });

  test("writes a line now and then where there is no terminal", () => {
    const { io, printed } = looking({}, false);
    const screen = screenOf(io, true);
    screen.progress("reading");
    jest.advanceTimersByTime(20_000);
    screen.progress("creating jane@acme", { done: 1, total: 4 });
    screen.progress("creating bob@acme", { done: 2, total: 4 });
    screen.showWait("503 from GET /api/account, attempt 1, next in 2 s", 2_000);
    jest.advanceTimersByTime(10_000);
    screen.rest();
    jest.advanceTimersByTime(60_000);
    expect(printed.stderr.trimEnd().split("\n")).toEqual([
      "reading",
      "reading · 10 s",
      "reading · 20 s",
      "[2/4] 20 s · 503 from GET /api/account, attempt 1, next in 2 s",
      "[2/4] 30 s, about 28 s left · creating bob@acme",
    ]);
  });

  const lastLine = (text: string) => text.split(/[\r\n]/).at(-1);
});

test("elsewhere each step is a line of its own", () => {
  const { io, printed } = looking({}, false);
  const screen = screenOf(io, true);
  screen.progress("one");
  screen.print("data");
  screen.progress("two");
  expect(printed).toEqual({ stdout: "data\n", stderr: "one\ntwo\n" });
});

test("lines of which there are many are written together, and before whatever follows them", async () => {
  const { io, printed } = looking({}, false);
  const screen = screenOf(io, true);
  screen.tellSoon("one");
  screen.tellSoon("two");
  expect(printed.stderr).toBe("");
  screen.tell("three");
  expect(printed.stderr).toBe("one\ntwo\nthree\n");
  screen.tellSoon("four");
  await until(() => printed.stderr.endsWith("four\n"));
});

test("on a terminal nobody waits for a line", () => {
  const { io, printed } = looking({}, true);
  screenOf(io, true).tellSoon("one");
  expect(printed.stderr).toBe("one\n");
});

test("colours are for terminals, unless NO_COLOR or --no-color says otherwise", () => {
  const coloured = (environment: Record<string, string>, isTTY: boolean, wanted: boolean): boolean =>
    screenOf(looking(environment, isTTY).io, wanted).data.bold("x") !== "x";
  expect(coloured({}, true, true)).toBe(true);
  expect(coloured({}, false, true)).toBe(false);
  expect(coloured({ NO_COLOR: "1" }, true, true)).toBe(false);
  expect(coloured({ NO_COLOR: "" }, true, true)).toBe(true);
  expect(coloured({ TERM: "dumb" }, true, true)).toBe(false);
  expect(coloured({}, true, false)).toBe(false);
});
