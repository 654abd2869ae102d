/** The contents of accounts to be deleted: storage, and the users who are deleted with them. A guard checks it. */
import type { Change, AccountContents } from "../../plan";
import { type Finding, notInSnapshot, whereaboutsOf } from "../../problems";
import { type Container, usersStaying } from "../../resources";
import { textOf } from "../../lib/values";
import { listedFamilies } from "../families";
import { idsToDelete, type Prune } from "../change";
import type { ReadTarget } from "../target";
import { deleteOf, pruneOfRecord } from "./prune";
import { observedRecordOf } from "./record";

/** The contents of the accounts to be deleted, read before anything is changed. */
export async function contentsOfDeletedAccounts(
  prunes: readonly Prune[],
): Promise<readonly AccountContents[]> {
  const going = idsToDelete(prunes);
  return Promise.all(
    prunes.flatMap((prune) => {
      const { container } = prune.resource;
      return container === undefined ? [] : [contentsOfOne(prune, container, going)];
    }),
  );
}

async function contentsOfOne(
  { target, change }: Prune,
  container: Container,
  going: ReadonlySet<string>,
): Promise<AccountContents> {
  const { connection, snapshot } = target;
  const accountId = change.observedRecord.id;
  const { provider } = change;
  const contents = await container.contentsOf(connection, accountId, snapshot);
  if (contents === undefined) return { provider, accountId, findings: [], others: [] };
  const stay = contents.users.filter(({ id }) => !going.has(id));
  return {
    provider,
    accountId,
    findings: [...contents.storage, ...usersStaying(contents, going)],
    ...(contents.isUsageUnknown === true && { isUsageUnknown: true }),
    others: stay.map(({ login }) => login),
    deletedWithAccount: stay.flatMap(({ id }) => usersDeletedWith(target, id)),
  };
}

/** A user who is deleted with an account, as a delete. */
function usersDeletedWith(target: ReadTarget, id: string): readonly Change[] {
  return listedFamilies().flatMap((family) => {
    const { inventory, resource } = family;
    // The guards keep the account then.
    if (target.snapshot.refused.has(resource.description.name)) return [];
    const live = inventory.locateById(id, target.snapshot);
    const record = inventory.listed(id, target.snapshot);
    if (record === undefined || resource.container !== undefined) return [];
    if (live.kind === "live") return [pruneOfRecord(target, family, live, "cascade", undefined).change];
    // A record that has a twin goes all the same.
    const key = textOf(record["login"]) ?? id;
    const before = inventory.stateOf({ self: record }, null);
    const observedRecord = observedRecordOf({ records: { self: record } }, key, target);
    return [
      deleteOf(resource, undefined, {
        target,
        key,
        before,
        claim: "unmanaged",
        observedRecord,
        reason: "cascade",
      }),
    ];
  });
}

/** Accounts to be deleted whose contents are not in the snapshot. */
export function warnUnknownUsage(
  changes: readonly Change[],
  contents: readonly AccountContents[],
): readonly Finding[] {
  return contents.flatMap(({ provider, accountId, isUsageUnknown }) => {
    if (isUsageUnknown !== true) return [];
    const isOfAccount = (one: Change) => one.provider === provider && one.observedRecord?.id === accountId;
    return changes
      .filter(isOfAccount)
      .map((change) =>
        notInSnapshot.warning(
          `whether the account ${JSON.stringify(change.title)} is empty`,
          whereaboutsOf(change),
        ),
      );
  });
}
