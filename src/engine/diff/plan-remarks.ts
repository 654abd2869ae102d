/** Finds remarks on live records that are no changes: users of others in our accounts, retained users and tokens that still work, renames. */
import { accessMarksOf, presetText, type UnmanagedUser, type Rename, type Retained } from "../../plan";
import { type Resource, rightsOfRecord, ACCOUNT_TYPE, PROFILE_TYPE } from "../../resources";
import { isPrimary } from "../../service";
import { textOf } from "../../lib/values";
import type { Prune } from "../change";
import type { PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";

/** A record of a service. */
type RecordAt = readonly [origin: string, id: string | null | undefined];

/**
 * Undeclared, unmanaged user profiles in managed accounts, with their rights.
 * @param managedRecords undeclared managed records
 */
export function unmanagedUsers(
  objects: readonly PlannedObject[],
  managedRecords: readonly RecordAt[],
): readonly UnmanagedUser[] {
  const at = (...[origin, id]: RecordAt) => `${origin} ${id ?? ""}`;
  const known = new Set([
    ...objects.map(({ change, target }) => at(target.origin, change.observedRecord?.id)),
    ...managedRecords.map((record) => at(...record)),
  ]);
  const accounts = new Map<string, { readonly id: string; readonly target: ReadTarget }>();
  for (const { change, target } of objects)
    if (change.description.type === ACCOUNT_TYPE && change.observedRecord !== undefined) {
      const { id } = change.observedRecord;
      accounts.set(at(target.origin, id), { id, target });
    }
  return [...accounts.values()].flatMap(({ id, target: { snapshot, origin } }) => {
    const account = snapshot.account(id);
    return snapshot
      .profilesOf(id)
      .filter((profile) => !isPrimary(profile, account) && !known.has(at(origin, profile.id)))
      .map((profile): UnmanagedUser => {
        const rights = rightsOfRecord(profile);
        return {
          type: PROFILE_TYPE,
          key: profile.login ?? "",
          id: profile.id ?? "",
          origin,
          ...(rights !== undefined && { rights }),
          preset: rights === undefined ? null : presetText(rights),
          marks: [...new Set((rights ?? []).flatMap(accessMarksOf))].sort(),
          active: profile["activated"] !== false && account?.["disabled"] !== true,
        };
      });
  });
}

/** Retained objects, with the users and tokens in them that still work. */
export function withActiveCounts(
  retainedObjects: readonly Retained[],
  { snapshot, part, origin }: ReadTarget,
): readonly Retained[] {
  return retainedObjects.map((one) => {
    const account = one.type === ACCOUNT_TYPE ? snapshot.account(one.id) : undefined;
    const profile = one.type === PROFILE_TYPE ? snapshot.profile(one.id) : undefined;
    if (account === undefined && profile === undefined) return { ...one, origin };
    const among =
      account === undefined ? (profile === undefined ? [] : [profile]) : snapshot.profilesOf(one.id);
    const isDisabled = (account ?? snapshot.account(profile?.account_id ?? ""))?.["disabled"] === true;
    const users = isDisabled ? [] : among.filter((user) => user["activated"] !== false);
    const logins = new Set(users.map(({ login }) => login));
    const tokens = part.tokens
      .list()
      .filter(({ login }) => logins.has(login))
      .reduce((sum, { previous }) => sum + 1 + previous.length, 0);
    return { ...one, origin, users: users.length, tokens };
  });
}

/** Accounts that left and came, and that look like one that was renamed: names cannot change, so the storage stays behind. */
export function renames({
  objects,
  prunes,
  retained: retainedObjects,
  targets,
}: {
  readonly targets: readonly ReadTarget[];
  /** Every declared object. */
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
  readonly retained: readonly Retained[];
}): readonly Rename[] {
  return targets.flatMap((target) => {
    const { provider } = target;
    const isHere = ({ change }: { readonly change: { readonly provider: string } }) =>
      change.provider === provider;
    const leftAccounts = [
      ...retainedObjects.filter((one) => one.type === ACCOUNT_TYPE && one.origin === target.origin),
      ...prunes
        .filter((prune) => isHere(prune) && isAccount(prune.resource) && prune.change.reason === "undeclared")
        .map(({ change }) => ({ key: change.key, id: change.observedRecord.id })),
    ];
    if (leftAccounts.length === 0) return [];
    const came = objects.filter(
      (object) => isHere(object) && isAccount(object.resource) && object.change.action === "create",
    );
    return came.flatMap(({ change: { key, title, address } }) => {
      const usernames = new Set(
        objects
          .filter((object) => isHere(object) && object.change.description.type === PROFILE_TYPE)
          .filter(({ change }) => change.action === "create" && change.key.endsWith(`@${key}`))
          .map(({ config }) => textOf(config["username"]) ?? ""),
      );
      const alike = leftAccounts
        .map((one) => ({
          one,
          shared: usernamesIn(one.id, target).filter((name) => usernames.has(name)).length,
        }))
        .sort((a, b) => b.shared - a.shared)[0];
      const isOnly = leftAccounts.length === 1 && came.length === 1;
      if (alike === undefined || (alike.shared === 0 && !isOnly)) return [];
      return [{ from: alike.one.key, id: alike.one.id, to: title, address }];
    });
  });
}

function isAccount({ description }: Resource): boolean {
  return description.type === ACCOUNT_TYPE;
}

function usernamesIn(accountId: string, { snapshot }: ReadTarget): readonly string[] {
  const account = snapshot.account(accountId);
  return snapshot
    .profilesOf(accountId)
    .filter((profile) => !isPrimary(profile, account))
    .map(({ login = "" }) => (login ?? "").split("@")[0] ?? "");
}
