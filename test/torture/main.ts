/** `npm run torture -- --runs 10000 --runner engine`: a long campaign, or the replay of a failure by its seed and path. */
import { parseArgs } from "node:util";
import "./team/quick-keys";
import { built } from "../support/built-command";
import { campaign, type CampaignOptions } from "./campaign";
import { Journal } from "./journal";
import { isRunnerName, RUNNERS } from "./runs/runners";
import { Tally } from "./runs/tally";
import { withEqualDelays } from "./world/equal-delays";

const { values } = parseArgs({
  options: {
    runner: { type: "string", default: "engine" },
    runs: { type: "string", default: "100" },
    seed: { type: "string" },
    path: { type: "string" },
    "as-drawn": { type: "boolean", default: false },
    journal: { type: "string" },
    batch: { type: "string", default: "50" },
    minutes: { type: "string" },
  },
});

const { runner } = values;
if (runner !== "team" && !isRunnerName(runner))
  throw new Error(`--runner is one of ${Object.keys(RUNNERS).join(", ")}, team`);
const runs = Number(values.runs);
const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed);
const began = Date.now();
const seconds = (): number => Math.round((Date.now() - began) / 1000);

withEqualDelays();
void (async () => {
  if (runner !== "engine" && runner !== "team") await built();
  await (values.journal === undefined ? inOne(runner) : inBatches(runner, values.journal));
})();

async function inOne(name: CampaignOptions["runner"]): Promise<void> {
  console.log(`seed ${seed}, ${runs} histories, ${name}`);
  const failure = await failureOf(async () => {
    const tally = await campaign({
      runner: name,
      runs,
      seed,
      asDrawn: values["as-drawn"],
      ...(values.path !== undefined && { path: values.path }),
      onProgress(so) {
        if (so.histories % 20 === 0) console.log(`${so.summary}, ${seconds()} s`);
      },
    });
    console.log(`nothing found in ${tally.summary}, ${seconds()} s\n${tally.details}`);
  });
  if (failure !== undefined) console.error(failure);
  process.exitCode = failure === undefined ? 0 : 1;
}

/** Runs batch after batch, and notes what each one finds. A program that is started again, or beside this one, takes the batches that are left. */
async function inBatches(name: CampaignOptions["runner"], folder: string): Promise<void> {
  const journal = new Journal(folder, { runner: name, runs, batch: Number(values.batch), seed });
  const limit = values.minutes === undefined ? Infinity : Number(values.minutes) * 60;
  for (let batch = journal.take(); batch !== undefined && seconds() < limit; batch = journal.take()) {
    const start = Date.now();
    const tally = new Tally();
    const { seed: own, runs: wanted } = batch;
    const failure = await failureOf(() =>
      campaign({ runner: name, runs: wanted, seed: own, asDrawn: true, tally }),
    );
    const took = (Date.now() - start) / 1000;
    batch.done({
      histories: tally.histories,
      counts: tally.counts,
      seconds: took,
      ...(failure !== undefined && { failure }),
    });
    console.log(
      `seed ${own}: ${tally.summary}, ${Math.round(took)} s${failure === undefined ? "" : ", FOUND SOMETHING"}`,
    );
    if (failure !== undefined) console.error(failure);
  }
  const { results } = journal;
  const total = new Tally();
  for (const result of results) total.add(result);
  const found = results.filter((result) => result.failure !== undefined);
  console.log(`${total.summary} of ${journal.plan.runs} histories\n${total.details}`);
  for (const one of found) console.log(`found something: --seed ${one.seed}`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

async function failureOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return `${error.message}\n${error.cause instanceof Error ? error.cause.message : String(error.cause)}`;
  }
}
