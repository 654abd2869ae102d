/** Counts what a campaign has met so far, since a campaign that meets nothing proves nothing. */
import { compareText } from "../../../src/values";
import type { Witness } from "../invariants/invariant";
import { writesOf } from "../invariants/writes";

export class Tally {
  histories = 0;
  readonly #counts = new Map<string, number>();

  note({ verb, outcome, exchanges, reader, hasMeetingOwners }: Witness): void {
    this.#count("runs");
    if (reader !== undefined) this.#count(`reader ${reader.kind}: ${outcome.end}`);
    if (hasMeetingOwners) this.#count(`owners that meet: ${outcome.end}`);
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

  get details(): string {
    return [...this.#counts]
      .sort(([a], [b]) => compareText(a, b))
      .map(([what, count]) => `${String(count).padStart(8)}  ${what}`)
      .join("\n");
  }

  #count(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }
}
