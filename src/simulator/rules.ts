/** Who may do what: whose records a caller sees, and which right each call needs (spec 1, 2.4, 5). */
import type { Account, AccountUpdate } from "./account";
import type { Caller } from "./callers";
import { type Permissions, type Right, RIGHTS } from "./permissions";
import type { Partially } from "./record";
import { denied, Refusal } from "./refusal";
import type { Row, Tombstone } from "./store";
import type { Authorization } from "./tokens";
import type { UserProfile, UserProfileUpdate } from "./user-profile";

/** What of a profile needs which right of someone else; the user itself may change what is marked as its own. */
const PROFILE_MEMBERS: Readonly<
  Record<keyof UserProfileUpdate, { readonly right: Right<"user">; readonly own?: true }>
> = {
  host: { right: "manage_users", own: true },
  password: { right: "reset_user_password", own: true },
  two_factor: { right: "reset_user_two_factor", own: true },
  email: { right: "modify_user_contact_settings", own: true },
  email_notify: { right: "modify_user_contact_settings", own: true },
  email_verify: { right: "modify_user_contact_settings", own: true },
  sms: { right: "modify_user_contact_settings", own: true },
  sms_notify: { right: "modify_user_contact_settings", own: true },
  sms_verify: { right: "modify_user_contact_settings", own: true },
  app_default: { right: "manage_users", own: true },
  xmd_refs: { right: "manage_users" },
  xref: { right: "manage_users" },
  permissions: { right: "manage_users" },
  access: { right: "manage_users" },
  allow_su: { right: "manage_users" },
  level: { right: "manage_users" },
  activated: { right: "manage_users" },
};

export function requireAccountManager(caller: Caller): void {
  if (!managesAccounts(caller)) throw lacking("realm.manage_accounts");
}

export function requireAccountUpdate(caller: Caller, account: Account, given: AccountUpdate): void {
  if (managesAccounts(caller)) return;
  const { user, account: own } = caller.profile.permissions;
  if (given.limits !== undefined || given.provisioning !== undefined) throw lacking("realm.manage_accounts");
  if (
    (given.primary_contact !== undefined || given.billing_contact !== undefined) &&
    !own.rights.modify_contact_settings
  )
    throw lacking("account.modify_contact_settings");
  const isOwnPassword = account.admin_profile_id === caller.profile.id;
  if (given.password !== undefined && !isOwnPassword && !user.rights.reset_user_password)
    throw lacking("user.reset_user_password");
}

/** Users come and go by those who manage them in their own account, or manage all accounts. */
export function requireUserManager(caller: Caller, accountId: string): void {
  if (managesAccounts(caller)) return;
  if (accountId !== caller.account.id) throw lacking("realm.manage_accounts");
  if (!caller.profile.permissions.user.rights.manage_users) throw lacking("user.manage_users");
}

export function requireProfileUpdate(caller: Caller, profile: UserProfile, given: UserProfileUpdate): void {
  if (managesAccounts(caller)) return;
  for (const member of Object.keys(given) as (keyof UserProfileUpdate)[]) {
    const { right, own } = PROFILE_MEMBERS[member];
    if (own === true && profile.id === caller.profile.id) continue;
    if (!caller.profile.permissions.user.rights[right]) throw lacking(`user.${right}`);
  }
}

/** Realm and node rights reach beyond an account: nobody grants one that is not theirs, or handles a user who has one. */
export function requireWiderRights(
  caller: Caller,
  wanted: Partially<Permissions> | undefined,
  held?: Permissions,
): void {
  for (const group of ["realm", "node"] as const)
    for (const right of RIGHTS[group]) {
      const rights = (of: Partially<Permissions> | undefined) =>
        of?.[group]?.rights as Record<string, boolean> | undefined;
      const concerns = rights(wanted)?.[right] === true || rights(held)?.[right] === true;
      if (concerns && rights(caller.profile.permissions)?.[right] !== true)
        throw lacking(`${group}.${right}`);
    }
}

/** A persistent token is restricted to what it is for: it makes no others. */
export function requireMinting(caller: Caller, needsRight: boolean): void {
  if (caller.credential.kind === "persistent")
    throw denied("a persistent token is restricted and cannot create authorizations");
  if (needsRight && !managesAuthorizations(caller)) throw lacking("user.manage_authorizations");
}

/** Whose tokens one may see, one may revoke as well. Asked only of tokens in an account that the caller sees. */
export function maySeeAuthorization(caller: Caller, authorization: Authorization): boolean {
  return (
    authorization.user_id === caller.profile.id || managesAuthorizations(caller) || managesAccounts(caller)
  );
}

function managesAuthorizations(caller: Caller): boolean {
  return caller.profile.permissions.user.rights.manage_authorizations;
}

function lacking(right: string) {
  return denied(`permission ${right} is required`);
}

// Accounts are isolated from each other: whose records a caller may see (spec 1, 5).

/** Who manages accounts sees them all. */
export function managesAccounts(caller: Caller): boolean {
  return caller.profile.permissions.realm.rights.manage_accounts;
}

export function sees(caller: Caller, accountId: string): boolean {
  return accountId === caller.account.id || managesAccounts(caller);
}

/** Where a record may be found, by id or serial. */
interface Findable<R> {
  readonly type: string;
  find(ref: string): R | undefined;
  findDeleted(ref: string): Tombstone | undefined;
}

/**
 * The record that a path names.
 * @param accountOf the account that a record belongs to
 * @throws Refusal 404, also for what is none of the caller's business; 410 for what was deleted
 */
export function findVisible<R extends Row>(
  caller: Caller,
  table: Findable<R>,
  ref: string,
  accountOf: (row: R) => string,
): R {
  const row = table.find(ref);
  if (row !== undefined && sees(caller, accountOf(row))) return row;
  const deleted = table.findDeleted(ref);
  if (deleted !== undefined && sees(caller, deleted.account_id))
    throw new Refusal(410, `${table.type} ${ref} has been deleted`);
  throw new Refusal(404, `${table.type} ${ref} not found`);
}
