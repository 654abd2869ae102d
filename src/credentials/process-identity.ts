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

/** Empty for a process that is not there, or has ended and only waits for its parent to notice. */
function startOf(pid: number): string {
  const status = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  // The second field is the program's name in parentheses, which may hold anything. After it: the state, and 19 on the start.
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" ? "" : (fields[19] ?? "");
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
