/** Before the first delete, everything that is to be deleted is read once more: nothing inside an account is touched for nothing. */
import { MovedOn, TenancyError } from "../../errors";
import type { Prune } from "../planning/prunes";
import type { Applier } from "./applier";

/** @returns for each address that is not what the plan saw, why; a plan made anew decides about it */
export async function requireAllUnchanged(
  prunes: readonly Prune[],
  applier: Applier,
): Promise<ReadonlyMap<string, TenancyError>> {
  const moved = new Map<string, TenancyError>();
  await Promise.all(
    prunes.map(async (prune) => {
      try {
        await requireUnchanged(prune, applier);
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
        moved.set(prune.change.address, error);
      }
    }),
  );
  return moved;
}

async function requireUnchanged({ change, resource }: Prune, applier: Applier): Promise<void> {
  const { sighting, description, key } = change;
  const { inventory } = resource;
  if (inventory === undefined || sighting === undefined) return;
  const { directory } = applier.connection(change.provider);
  const read =
    description.name === "account" ? directory.account(sighting.id) : directory.profile(sighting.id);
  const self = await read;
  // Gone already is as good as deleted.
  if (self === undefined) return;
  const now = inventory.expectation({ self });
  const isSame =
    now.uuid === sighting.uuid &&
    now.key === sighting.key &&
    now.seq === sighting.seq &&
    now.accountId === sighting.accountId;
  if (!isSame)
    throw new MovedOn(description.name.replaceAll("_", " "), key, "somebody changed it after it was read");
}
