/** What the bench measures, and what it says of it. */
import type { Workplace } from "./support/workplace";

/** One line of the bench's table: a goal, and how far it was met. */
export interface Finding {
  readonly what: string;
  /** What was measured, lowest, middle and highest; ratios, unless `unit` says what else. */
  readonly measured: Spread;
  readonly unit?: string;
  /** The largest value of the median that meets the goal. */
  readonly goal: number;
  /** The same ratio of processor time, user and system; other work of the machine changes it less than time on the clock. */
  readonly processor?: Spread;
  /** The medians that the ratio is made of, in words. */
  readonly detail?: string;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A file under `measures` exports one of these as `measure`; its name there is what `--only` takes. */
export interface Measure {
  /** How many pairs are run without `--runs`. */
  readonly runs: number;
  /** Measures; throws if the measured program fails. */
  readonly take: (workplace: Workplace, runs: number) => Promise<readonly Finding[]>;
}
