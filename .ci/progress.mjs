/** Shows what a script does, and for how long. */
import { clearInterval, setInterval } from "node:timers";

/** Does one step: prints its title, and then how long it took. At a terminal the seconds are counted while it lasts. */
export async function step(title, work) {
  const begun = performance.now();
  const line = `${title} … `;
  const isTerminal = process.stdout.isTTY === true;
  const elapsed = () =>
    `${isTerminal ? `\r${line}` : ""}${((performance.now() - begun) / 1000).toFixed(1)} s`;
  process.stdout.write(line);
  const clock = isTerminal ? setInterval(() => process.stdout.write(elapsed()), 1000) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(clock);
    process.stdout.write(`${elapsed()}\n`);
  }
}
