/** What the provider's process leaves behind in its memory: covers src/provider/memory.ts, in a process of its own. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const MEMORY = resolve(__dirname, "../../../src/provider/memory.ts");

/**
 * Keeps 40 MB until the end of one turn, and prints how many MB of them are still there some turns later. Nothing is made meanwhile, so V8 has
 * no reason of its own to collect them.
 */
const PROGRAM = `
const { reduceMemory } = require(${JSON.stringify(MEMORY)});
reduceMemory();
const used = () => process.memoryUsage().heapUsed / 1e6;
const before = used();
const made = Array.from({ length: 500_000 }, (_, index) => ({ index, text: "text " + index }));
const most = used() - before;
made.length = 0;
setTimeout(() => console.log(JSON.stringify([most, used() - before].map(Math.round))), 1000);
`;

test("what is no longer needed does not stay in memory until the provider ends", () => {
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--eval", PROGRAM], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const [most = 0, left = 0] = JSON.parse(stdout) as readonly number[];
  expect(most).toBeGreaterThan(30);
  expect(left).toBeLessThan(15);
});
