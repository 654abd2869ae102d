/** Puts blocks into an order in which each comes after what it depends on. */
import { DependencyCycle } from "../errors";
import type { Findings } from "./findings";

interface Node {
  readonly address: string;
  readonly dependencies: readonly string[];
}

/** Stable: blocks that do not depend on each other keep their order. Never recurses, so a stack may be of any size. */
export function inOrder<T extends Node>(blocks: readonly T[], findings: Findings): readonly T[] {
  const byAddress = new Map(blocks.map((block) => [block.address, block]));
  const ordered: T[] = [];
  const state = new Map<string, "open" | "done">();
  for (const first of blocks) {
    const path: { readonly block: T; next: number }[] = [];
    const enter = (block: T): void => {
      state.set(block.address, "open");
      path.push({ block, next: 0 });
    };
    if (!state.has(first.address)) enter(first);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const dependency = top.block.dependencies[top.next++];
      if (dependency === undefined) {
        state.set(top.block.address, "done");
        ordered.push(top.block);
        path.pop();
        continue;
      }
      const next = byAddress.get(dependency);
      if (next === undefined || state.get(dependency) === "done") continue;
      if (state.get(dependency) === "open") {
        const addresses = path.map(({ block }) => block.address);
        findings.add(new DependencyCycle([...addresses.slice(addresses.indexOf(dependency)), dependency]));
        return blocks;
      }
      enter(next);
    }
  }
  return ordered;
}
