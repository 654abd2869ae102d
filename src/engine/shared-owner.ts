/**
 * Refuses an owner that two provider configurations of one service have in common, in one stack or in two of an app. Each of them would delete the
 * objects of the other one as its own leftovers (design: Ownership).
 */
import { sharedOwner } from "../problems";
import { ownerByProvider, readableStack } from "./evaluate/providers";
import type { Evaluated } from "./evaluate/stack";

/** @throws sharedOwner */
export async function refuseSharedOwner(evaluated: Evaluated): Promise<void> {
  const { stack, entry, source, options } = evaluated;
  const providers = await ownerByProvider(stack, options);
  for (const [index, [second, owner]] of providers.entries()) {
    const other = providers.slice(0, index).find((one) => one[1] === owner);
    if (other !== undefined)
      throw sharedOwner.error(
        { of: "provider configurations", first: other[0], second },
        { address: `provider.${second}` },
      );
  }

  for (const sibling of source.stacks.filter(({ name }) => name !== entry.name)) {
    const theirs = readableStack(sibling, evaluated);
    const others = theirs === undefined ? [] : await ownerByProvider(theirs, options);
    if (others.some(([, owner]) => providers.some((one) => one[1] === owner)))
      throw sharedOwner.error({ of: "stacks", first: entry.name, second: sibling.name });
  }
}
