/**
 * Refuses an owner that two provider configurations have in common, in a run without a state: in one stack, or in two stacks of an app at one service. Each of
 * them would delete the objects of the other one as its own leftovers (design: Ownership).
 */
import { sharedOwner } from "../problems";
import { ownersIn, readableStack } from "./evaluate/providers";
import type { Loaded } from "./load/stack";
import { placeOf } from "./state";

/** No service is asked: two addresses in one stack may lead to one service. @throws sharedOwner */
export async function refuseSharedOwner(loaded: Loaded): Promise<void> {
  const { stack, entry, source, options } = loaded;
  if (options.fromSnapshot !== undefined || placeOf(options)?.kind !== "none") return;
  const owners = await ownersIn(stack, options);
  for (const [index, { provider: second, owner }] of owners.entries()) {
    const other = owners.slice(0, index).find((one) => one.owner === owner);
    if (other !== undefined)
      throw sharedOwner.error(
        { of: "provider configurations", first: other.provider, second },
        { address: `provider.${second}` },
      );
  }

  for (const sibling of source.stacks.filter(({ name }) => name !== entry.name)) {
    const siblingStack = readableStack(sibling, loaded);
    const others = siblingStack === undefined ? [] : await ownersIn(siblingStack, options);
    if (
      others.some(({ origin, owner }) => owners.some((one) => one.origin === origin && one.owner === owner))
    )
      throw sharedOwner.error({ of: "stacks", first: entry.name, second: sibling.name });
  }
}
