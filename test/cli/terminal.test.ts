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
