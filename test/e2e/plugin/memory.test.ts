/** What the provider's process leaves behind in its memory: covers src/plugin/memory.ts, in a process of its own. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const MEMORY = resolve(__dirname, "../../../src/plugin/memory.ts");

/** Keeps much for a moment, again and again, and prints how much of it is still there at the end, in MB. */
const PROGRAM = `
const { reduceMemory } = require(${JSON.stringify(MEMORY)});
if (process.argv[1] === "reduced") reduceMemory();
const used = () => process.memoryUsage().heapUsed / 1e6;
const before = used();
let kept, left = 20;
const timer = setInterval(() => {
  kept = left-- > 0 ? Array.from({ length: 50_000 }, (_, index) => ({ index, text: "text " + index })) : undefined;
  if (left > -5) return;
  clearInterval(timer);
  console.log(Math.round(used() - before));
}, 60);
`;

function leftBehind(how: "reduced" | "plain"): number {
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--eval", PROGRAM, how], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return Number(stdout);
}

test("what is no longer needed does not stay in memory until the provider ends", () => {
  const [plain, reduced] = [leftBehind("plain"), leftBehind("reduced")];
  expect(reduced).toBeLessThan(15);
  expect(reduced).toBeLessThan(plain);
});
