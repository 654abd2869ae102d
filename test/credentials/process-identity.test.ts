import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { isDead, thisProcess } from "../../src/credentials/process-identity";

/** On Linux the start of this process by its status; elsewhere there is none to be had. */
function expectedStart(): string {
  try {
    return (
      readFileSync("/proc/self/stat", "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19] ?? ""
    );
  } catch {
    return "";
  }
}

test("a process is known by its number, its host and its start", () => {
  expect(thisProcess()).toMatchObject({ pid: process.pid, host: hostname(), started: expectedStart() });
  expect(thisProcess().machine).toContain(hostname());
  expect(thisProcess()).toEqual(thisProcess());
});

test("a process may have any name", () => {
  const { title } = process;
  const before = thisProcess().started;
  process.title = ") Z 1 (";
  try {
    expect(thisProcess().started).toBe(before);
  } finally {
    process.title = title;
  }
});

test("this process is alive, and a process with a number beyond all others is dead", () => {
  expect(isDead(thisProcess())).toBe(false);
  expect(isDead({ pid: 2 ** 22 + 1, started: thisProcess().started })).toBe(true);
});

test("a live process with another start is not the one that is meant", () => {
  expect(isDead({ pid: process.pid, started: `${thisProcess().started}1` })).toBe(true);
});
