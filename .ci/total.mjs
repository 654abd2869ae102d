/** Adds up the results of several runs of Jest, and prints them as Jest prints those of one: `node .ci/total.mjs RESULTS.json …`. */
import { readFileSync } from "node:fs";

const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));

for (const [title, kind] of [
  ["Test Suites:", "TestSuites"],
  ["Tests:      ", "Tests"],
]) {
  const count = (state) => runs.reduce((sum, run) => sum + run[`num${state}${kind}`], 0);
  const counts = [
    [count("Failed"), "failed"],
    [count("Pending"), "skipped"],
    [count("Passed"), "passed"],
  ];
  const shown = counts.filter(([number]) => number > 0).map(([number, state]) => `${number} ${state}`);
  console.log(`${title} ${shown.join(", ")}, ${count("Total")} total`);
}
