/** Which process on which machine: told apart from a later process of the same number. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /**
   * Within one machine process numbers can be compared. On Linux it changes with every boot, and from container to
   * container: the numbers there are worlds apart although host names may be alike.
   */
  readonly machine: string;
  /** When the process was started, in the system's own unit; empty where the system doesn't tell. */
  readonly started: string;
}

export function thisProcess(): ProcessIdentity {
  const boot = attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const numbers = attempt(() => readlinkSync("/proc/self/ns/pid"));
  return {
    pid: process.pid,
    host: hostname(),
    machine: [hostname(), boot, numbers].join(" "),
    started: startOf(process.pid),
  };
}

/** Whether a process of this machine has ended for certain. */
export function isDead({ pid, started }: Pick<ProcessIdentity, "pid" | "started">): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM says that it lives, and is another user's.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  return startOf(pid) !== started;
}

function startOf(pid: number): string {
  // The second field is the program's name in parentheses, which may hold anything; the start is the 22nd.
  const status = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
