/** Runs two ways of doing the same work in turn, so that other work of the machine slows both down alike. */
import type { Finding, Spread } from "../measure";
import type { Cost } from "./run";

export interface Pairing {
  /** The finding's text. */
  readonly what: string;
  readonly goal: number;
  /** The work that ours is compared with. */
  readonly bare: () => Promise<Cost>;
  readonly ours: () => Promise<Cost>;
}

/** Runs both once to warm the disk's cache and the service, and then so many pairs. */
export async function comparePairs({ what, goal, bare, ours }: Pairing, runs: number): Promise<Finding> {
  await bare();
  await ours();
  const pairs: { readonly bare: Cost; readonly ours: Cost }[] = [];
  for (let turn = 0; turn < runs; turn++) pairs.push({ bare: await bare(), ours: await ours() });
  const ratios = (of: (cost: Cost) => number) => spreadOf(pairs.map((pair) => of(pair.ours) / of(pair.bare)));
  const processor = ratios(({ processorMilliseconds = NaN }) => processorMilliseconds);
  const middle = (side: "bare" | "ours") =>
    Math.round(spreadOf(pairs.map((pair) => pair[side].milliseconds)).median);
  return {
    what,
    goal,
    measured: ratios(({ milliseconds }) => milliseconds),
    ...(Number.isNaN(processor.median) ? {} : { processor }),
    detail: `${middle("ours")} ms to ${middle("bare")} ms`,
  };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const low = sorted[Math.ceil(half) - 1] ?? NaN;
  const high = sorted[Math.floor(half)] ?? NaN;
  return { median: (low + high) / 2, min: sorted[0] ?? NaN, max: sorted.at(-1) ?? NaN };
}
