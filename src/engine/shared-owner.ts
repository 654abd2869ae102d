/**
 * Refuses an owner that two provider configurations of one service have in common, in one stack or in two of an app, in a run without a store.
 * Each of them would delete the objects of the other one as its own leftovers (design: Ownership).
 */
import { identityOf, recordDifference } from "../ownership";
import { sharedOwner, twoAddresses } from "../problems";
import { type ObjectValue, textOf } from "../lib/values";
import { ownerByProvider, readableStack } from "./evaluate/providers";
import type { Evaluated } from "./evaluate/stack";
import { type ListedFamily, listedFamilies } from "./families";
import type { Loaded } from "./load/stack";
import { isWithoutStore } from "./store";
import type { ReadTarget } from "./target";

/** No service is asked. @throws sharedOwner */
export async function refuseSharedOwner(loaded: Loaded): Promise<void> {
  const { stack, entry, source, options } = loaded;
  if (!isWithoutStore(options)) return;
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
    const theirs = readableStack(sibling, loaded);
    const others = theirs === undefined ? [] : await ownerByProvider(theirs, options);
    if (others.some(([, owner]) => providers.some((one) => one[1] === owner)))
      throw sharedOwner.error({ of: "stacks", first: entry.name, second: sibling.name });
  }
}

// Two addresses of one service.

/** Only the services show that two base URLs lead to one service. @throws twoAddresses */
export function refuseTwoAddresses({ evaluation: { targets } }: Evaluated): void {
  for (const [index, second] of targets.entries())
    for (const first of targets.slice(0, index)) refuseCommonRecords(first, second);
}

/** @throws twoAddresses where both show a managed record: the service chose its id, serial and creation time when we made it */
function refuseCommonRecords(first: ReadTarget, second: ReadTarget): void {
  const { owner } = first.ledger.memory;
  if (owner === undefined || first.origin === second.origin || owner !== second.ledger.memory.owner) return;
  const pairs = [...ourCommonRecords(first, second), ...ourCommonRecords(second, first)];
  const [common] = pairs;
  // Without a store, uuids follow from owner and names, so two services share them, too. A record that differs distinguishes the services.
  if (common === undefined || pairs.some(({ isSame }) => !isSame)) return;
  throw twoAddresses.error(
    {
      first: { name: first.provider, origin: first.origin },
      second: { name: second.provider, origin: second.origin },
      owner,
      common: common.name,
    },
    { address: `provider.${second.provider}` },
  );
}

/** Managed records whose uuid the other target shows, too. */
function ourCommonRecords(target: ReadTarget, { snapshot }: ReadTarget) {
  return listedFamilies().flatMap((family) => {
    const { name } = family.resource.description;
    // A list that one of the two refuses says nothing.
    if (snapshot.refused.has(name)) return [];
    const namesakes = ({ uuid }: ObjectValue) =>
      typeof uuid === "string" ? snapshot.listOf(name).all("uuid", uuid) : [];
    return target
      .managed(family.resource, (self) => namesakes(self).length > 0)
      .map(({ records: { self } }) => ({
        name: namedRecord(self, family),
        isSame: namesakes(self).some(
          (one) => recordDifference(identityOf(self), identityOf(one), ["id", "ctime"]) === undefined,
        ),
      }));
  });
}

function namedRecord(record: ObjectValue, { resource }: ListedFamily): string {
  const name = textOf(record["login"]) ?? textOf(record["name"]) ?? textOf(record["id"]) ?? "";
  return `${resource.description.noun} ${JSON.stringify(name)}`;
}
