/** Many histories, drawn at random; a failing one is shrunk to its core. */
import fc from "fast-check";
import { histories } from "./model/drawing";
import type { History } from "./model/history";
import { live } from "./runs/history-run";
import { RUNNERS, type RunnerName } from "./runs/runners";
import { Tally } from "./runs/tally";
import { type TeamHistory, teamHistories } from "./team/history";
import { liveAsTeam } from "./team/life";

export interface CampaignOptions {
  /** `team`: histories of several people, with a state on a branch. */
  readonly runner: RunnerName | "team";
  /** Number of histories. */
  readonly runs: number;
  readonly seed?: number;
  /** The place of a failure in the shrinking, as it was printed. */
  readonly path?: string;
  /** Tells of a failure as it was drawn: shrinking takes dozens of runs. */
  readonly asDrawn?: boolean;
  /** Milliseconds after which no further history is begun. */
  readonly timeLimit?: number;
  readonly onProgress?: (tally: Tally) => void;
  /** Counts what is met, the history that failed included. @default a new one */
  readonly tally?: Tally;
}

/** @throws Error with the seed, the path and the shrunk history */
export async function campaign(options: CampaignOptions): Promise<Tally> {
  const { runs, seed, path, asDrawn = false, timeLimit, onProgress, tally = new Tally() } = options;
  const lived = () => {
    tally.histories++;
    onProgress?.(tally);
  };
  const property = propertyOf(options.runner, tally, lived);
  await fc.assert(property, {
    numRuns: runs,
    endOnFailure: asDrawn,
    ...(seed !== undefined && { seed }),
    ...(path !== undefined && { path }),
    ...(timeLimit !== undefined && { interruptAfterTimeLimit: timeLimit }),
  });
  return tally;
}

function propertyOf(name: CampaignOptions["runner"], tally: Tally, lived: () => void) {
  if (name === "team")
    return fc.asyncProperty<[unknown]>(teamHistories, async (history) => {
      await liveAsTeam(history as TeamHistory, tally);
      lived();
    });
  const runner = RUNNERS[name];
  return fc.asyncProperty<[unknown]>(histories(runner.maxSteps), async (history) => {
    await live(history as History, runner, tally);
    lived();
  });
}
