/** Loaded into every measured process alike: as it ends, it leaves its processor time where the bench looks for it. */
const { writeFileSync } = require("node:fs");

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.BENCH_USAGE, String((user + system) / 1000));
});
