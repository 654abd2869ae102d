/**
 * Loaded into the provider's processes: as each ends, it leaves the most memory that it had, in kB, where the bench looks for it. Linux says it
 * in /proc; what getrusage tells counts in what Terraform had when it started the process.
 */
const { appendFileSync, readFileSync } = require("node:fs");

process.on("exit", () => appendFileSync(process.env.BENCH_MEMORY, `${mostMemory()}\n`));

function mostMemory() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))[1];
}
