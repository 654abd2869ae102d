/** The rules of access: the records that a caller sees, and the right that each call needs (spec 1, 2.4, 5). */
import type { Caller } from "./callers";
import {
  type RightSet,
  type NamedRight,
  type Need,
  type Needs,
  type Permissions,
  RIGHTS,
} from "./permissions";
import type { Partially } from "./record";
import { accessRefusal, Refusal } from "./refusal";
import type { StoredRow, Tombstone } from "./store";
import type { Authorization } from "./tokens";

export function requireAccountManager(caller: Caller): void {
  if (!managesAccounts(caller)) throw lacking("realm.manage_accounts");
}

/** Users are created and deleted by managers of users in the same account, or by managers of all accounts. */
export function requireUserManager(caller: Caller, accountId: string): void {
  if (managesAccounts(caller)) return;
  if (accountId !== caller.account.id) throw lacking("realm.manage_accounts");
  if (!caller.profile.permissions.user.rights.manage_users) throw lacking("user.manage_users");
}

/**
 * Each member of a request needs a right of its own.
 * @param profileId the profile that changes, or the profile whose account changes
 * @param needs of the members that have rules of their own
 * @param otherwise the right that all other members need
 */
export function requireMembers<Given extends object>(
  caller: Caller,
  profileId: string,
  body: Given,
  needs: Needs<Given>,
  otherwise: NamedRight,
): void {
  if (managesAccounts(caller)) return;
  for (const member of Object.keys(body) as (keyof Given)[]) {
    const need: Need | "nothing" = needs[member] ?? { right: otherwise };
    if (need === "nothing" || (need.own === true && profileId === caller.profile.id)) continue;
    if (!holds(caller, need.right)) throw lacking(need.right);
  }
}

function holds({ profile }: Caller, right: NamedRight): boolean {
  const [group, name] = right.split(".") as [RightSet, string];
  return (profile.permissions[group].rights as Readonly<Record<string, boolean>>)[name] === true;
}

/**
 * Realm and node rights reach beyond an account: a caller can grant only rights that the caller has, and can change only users without further rights.
 */
export function requireWiderRights(
  caller: Caller,
  grantedPermissions: Partially<Permissions> | undefined,
  formerly?: Permissions,
): void {
  for (const group of ["realm", "node"] as const)
    for (const right of RIGHTS[group]) {
      const rights = (of: Partially<Permissions> | undefined) =>
        of?.[group]?.rights as Record<string, boolean> | undefined;
      const concerns = rights(grantedPermissions)?.[right] === true || rights(formerly)?.[right] === true;
      if (concerns && rights(caller.profile.permissions)?.[right] !== true)
        throw lacking(`${group}.${right}`);
    }
}

/** A persistent token is restricted to its purpose: it creates no other tokens. */
export function requireTokenCreation(caller: Caller, needsRight: boolean): void {
  if (caller.credential.kind === "persistent")
    throw accessRefusal("a persistent token is restricted and cannot create authorizations");
  if (needsRight && !managesAuthorizations(caller)) throw lacking("user.manage_authorizations");
}

/** A user that may see a token may revoke it. Asked only of tokens in an account that the caller sees. */
export function maySeeAuthorization(caller: Caller, authorization: Authorization): boolean {
  return (
    authorization.user_id === caller.profile.id || managesAuthorizations(caller) || managesAccounts(caller)
  );
}

function managesAuthorizations(caller: Caller): boolean {
  return caller.profile.permissions.user.rights.manage_authorizations;
}

function lacking(right: string) {
  return accessRefusal(`permission ${right} is required`);
}

// Accounts are isolated from each other: the records that a caller may see (spec 1, 5).

/** Who manages accounts sees them all. */
function managesAccounts(caller: Caller): boolean {
  return caller.profile.permissions.realm.rights.manage_accounts;
}

export function sees(caller: Caller, accountId: string): boolean {
  return accountId === caller.account.id || managesAccounts(caller);
}

/** A table in which a record is found by id or serial. */
export interface Findable<R> {
  readonly type: string;
  find(ref: string): R | undefined;
  findDeleted(ref: string): Tombstone | undefined;
}

/**
 * The record that a path names.
 * @param accountOf the account that a record belongs to
 * @throws Refusal 404, also for records that the caller must not see; 410 for deleted records
 */
export function findVisible<R extends StoredRow>(
  caller: Caller,
  table: Findable<R>,
  ref: string,
  accountOf: (row: R) => string,
): R {
  const row = table.find(ref);
  if (row !== undefined && sees(caller, accountOf(row))) return row;
  const tombstone = table.findDeleted(ref);
  if (tombstone !== undefined && sees(caller, tombstone.account_id))
    throw new Refusal(410, `${table.type} ${ref} has been deleted`);
  throw new Refusal(404, `${table.type} ${ref} not found`);
}
