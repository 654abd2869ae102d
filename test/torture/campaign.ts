/** Many histories, drawn at random; a failing one is shrunk to its core. */
import fc from "fast-check";
import { histories } from "./model/history";
import { live } from "./runs/history-run";
import { Tally } from "./runs/tally";

export interface CampaignOptions {
  /** How many histories. */
  readonly runs: number;
  readonly seed?: number;
  /** Where in the shrinking a failure was found, as it was printed. */
  readonly path?: string;
  /** Milliseconds after which no further history is begun. */
  readonly timeLimit?: number;
  readonly onProgress?: (tally: Tally) => void;
}

/** @throws Error with the seed, the path and the shrunk history */
export async function campaign({ runs, seed, path, timeLimit, onProgress }: CampaignOptions): Promise<Tally> {
  const tally = new Tally();
  const property = fc.asyncProperty(histories, async (history) => {
    await live(history, tally);
    tally.histories++;
    onProgress?.(tally);
  });
  await fc.assert(property, {
    numRuns: runs,
    ...(seed !== undefined && { seed }),
    ...(path !== undefined && { path }),
    ...(timeLimit !== undefined && { interruptAfterTimeLimit: timeLimit }),
  });
  return tally;
}
