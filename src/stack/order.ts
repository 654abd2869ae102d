/** Orders blocks so that each comes after all blocks that it needs. */
import { dependencyCycle, type TenancyError } from "../problems";

/**
 * Blocks in an order in which each follows its dependencies, and otherwise as given. Dependencies that are no block's address don't count.
 * Each circle is reported once.
 */
export function inDependencyOrder<
  T extends {
    readonly address: string;
    readonly dependencies: readonly string[];
  },
>(blocks: readonly T[], report: (cycle: TenancyError) => void): readonly T[] {
  const byAddress = new Map(blocks.map((block) => [block.address, block]));
  const ordered: T[] = [];
  const finishedAddresses = new Set<string>();
  for (const block of blocks) visit(block);
  return ordered;

  /** Without recursion, since a chain of blocks may be as long as the stack. */
  function visit(start: T): void {
    const path = [{ block: start, next: 0 }];
    const onPath = new Set([start.address]);
    for (let place = path.at(-1); place !== undefined; place = path.at(-1)) {
      const { block } = place;
      const address = block.dependencies[place.next++];
      if (finishedAddresses.has(block.address)) {
        path.pop();
      } else if (address === undefined) {
        finishedAddresses.add(block.address);
        onPath.delete(block.address);
        ordered.push(block);
        path.pop();
      } else if (onPath.has(address)) {
        const round = path.map((step) => step.block.address);
        report(dependencyCycle.error(round.slice(round.indexOf(address))));
      } else {
        const dependency = byAddress.get(address);
        if (dependency === undefined || finishedAddresses.has(address)) continue;
        onPath.add(address);
        path.push({ block: dependency, next: 0 });
      }
    }
  }
}
