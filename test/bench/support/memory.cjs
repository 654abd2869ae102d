/** Loaded into the provider's processes: as each ends, it leaves the most memory that it had, in kB, where the bench looks for it. */
const { appendFileSync } = require("node:fs");

process.on("exit", () => appendFileSync(process.env.BENCH_MEMORY, `${process.resourceUsage().maxRSS}\n`));
