/** Counts what a campaign has met so far, since a campaign that meets nothing proves nothing. */
import { compareText } from "../../../src/lib/values";
import type { Witness } from "../invariants/invariant";
import { writesOf } from "../invariants/writes";
import type { Chronicle } from "../world/chronicle";
import { SITUATIONS } from "./situations";

const REACHED = "reached: ";

export class Tally {
  histories = 0;
  readonly #counts = new Map<string, number>();

  /** The situations that each history has reached; a history has one chronicle. */
  readonly #met = new WeakMap<Chronicle, Set<string>>();

  note(witness: Witness): void {
    this.#noteSituations(witness);
    this.#noteRun(witness);
  }

  #noteSituations(witness: Witness): void {
    const known = this.#met.get(witness.chronicle);
    const met = known ?? new Set();
    this.#met.set(witness.chronicle, met);
    for (const [situation, isIn] of Object.entries(SITUATIONS)) {
      if (met.has(situation) || !isIn(witness, known === undefined)) continue;
      met.add(situation);
      this.#count(REACHED + situation);
    }
  }

  #noteRun({ verb, outcome, exchanges, reader }: Witness): void {
    this.#count("runs");
    if (reader !== undefined) this.#count(`reader ${reader.kind}: ${outcome.end}`);
    this.#count(`${verb}: ${outcome.end}`);
    for (const code of new Set(outcome.codes)) this.#count(`error ${code}`);
    for (const { strike } of exchanges) if (strike !== undefined) this.#count(`strike ${strike.kind}`);
    for (const { method, path } of writesOf({ exchanges }))
      this.#count(`write ${method} ${path.split("/")[2]}`);
  }

  get summary(): string {
    return `${this.histories} histories, ${this.#counts.get("runs") ?? 0} runs`;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** Takes in what another one has counted. */
  add({ histories, counts }: { readonly histories: number; readonly counts: Tally["counts"] }): void {
    this.histories += histories;
    for (const [what, count] of Object.entries(counts)) this.#count(what, count);
  }

  /** All counts, and the number of histories that reached each situation: also of those that none reached. */
  get details(): string {
    const counts = [...this.#counts].filter(([what]) => !what.startsWith(REACHED));
    const reached = Object.keys(SITUATIONS).map((situation) => {
      const count = this.#counts.get(REACHED + situation) ?? 0;
      const share = (100 * count) / Math.max(1, this.histories);
      return `${String(count).padStart(8)} ${share.toFixed(1).padStart(5)} %  ${situation}`;
    });
    return [...this.#lines(counts), "in so many histories", ...reached].join("\n");
  }

  #lines(counts: readonly [string, number][]): readonly string[] {
    return [...counts]
      .sort(([a], [b]) => compareText(a, b))
      .map(([what, count]) => `${String(count).padStart(8)}  ${what}`);
  }

  #count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }
}
