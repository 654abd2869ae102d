import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isDead, thisProcess } from "../../../src/state/file-lock";

/** What Linux tells; elsewhere it is not to be had. */
function onLinux(read: () => string | undefined): string {
  return process.platform === "linux" ? (read() ?? "") : "";
}

const expectedStart = () =>
  onLinux(
    () =>
      readFileSync("/proc/self/stat", "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19],
  );

test("a process is known by its number, its host and its start", () => {
  expect(thisProcess()).toMatchObject({ pid: process.pid, host: hostname(), started: expectedStart() });
  expect(thisProcess().machine).toContain(hostname());
  expect(thisProcess()).toEqual(thisProcess());
});

test("after a boot, and in another container, a machine is another one, whatever its name", () => {
  const boot = onLinux(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const numbers = onLinux(() => readlinkSync("/proc/self/ns/pid"));
  expect(thisProcess().machine.split(" ")).toEqual([hostname(), boot, numbers]);
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

test("a process that may not be asked, for it is another user's, counts as alive", () => {
  const refused = Object.assign(new Error("not permitted"), { code: "EPERM" });
  const kill = jest.spyOn(process, "kill").mockImplementation(() => {
    throw refused;
  });
  const dead = isDead({ pid: process.pid, started: "hidden" });
  kill.mockRestore();
  expect(dead).toBe(false);
});
