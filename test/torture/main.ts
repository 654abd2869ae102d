/** `npm run torture -- --runs 10000 --runner engine`: a long campaign, or the replay of a failure by its seed and path. */
import { parseArgs } from "node:util";
import { campaign } from "./campaign";
import { isRunnerName, RUNNERS } from "./runs/runners";
import { withoutJitter } from "./world/without-jitter";

const { values } = parseArgs({
  options: {
    runner: { type: "string", default: "engine" },
    runs: { type: "string", default: "100" },
    seed: { type: "string" },
    path: { type: "string" },
    "as-drawn": { type: "boolean", default: false },
  },
});

const { runner } = values;
if (!isRunnerName(runner)) throw new Error(`--runner is one of ${Object.keys(RUNNERS).join(", ")}`);
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed);
const began = Date.now();
const seconds = (): number => Math.round((Date.now() - began) / 1000);
console.log(`seed ${seed}, ${values.runs} histories, ${runner}`);

withoutJitter();
campaign({
  runner,
  runs: Number(values.runs),
  seed,
  asDrawn: values["as-drawn"],
  ...(values.path !== undefined && { path: values.path }),
  onProgress(tally) {
    if (tally.histories % 20 === 0) console.log(`${tally.summary}, ${seconds()} s`);
  },
}).then(
  (tally) => console.log(`nothing found in ${tally.summary}, ${seconds()} s\n${tally.details}`),
  (error: unknown) => {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    console.error(error.cause instanceof Error ? error.cause.message : error.cause);
    process.exitCode = 1;
  },
);
