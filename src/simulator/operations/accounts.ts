/** What can be done to accounts (spec 4.3). Who may do it is decided before. */
import type { AccountCreate, AccountUpdate } from "../parameters/account";
import { type Account, newAccount, updateAccount } from "../records/account";
import { newUserProfile, updateUserProfile } from "../records/user-profile";
import { denied } from "../refusal";
import type { Service } from "../service";
import type { Change } from "../store/store";
import { profileRemoval } from "./profiles";
import { requireFree } from "./uniqueness";

/** Name of the account that is there from the start. */
export const SYSTEM = "system";

/** Makes an account together with its primary user profile, whose login is the account's name. */
export function createAccount(service: Service, given: AccountCreate): Account {
  requireFree(service, "account", given.name, given.uuid);
  requireFree(service, "user profile", given.name, given.user_uuid);
  const { store } = service;
  const ids = { account: store.accounts.newId(), profile: store.profiles.newId() };
  const account = newAccount(given, ids, service.now());
  const { permissions, level, access, activated, password, user_uuid: uuid } = given;
  const profile = newUserProfile(
    { id: ids.profile, account_id: ids.account, login: given.name, account_admin: true },
    definedOf({ permissions, level, access, activated, password, uuid }),
    service.now(),
  );
  store.commit([
    { table: "accounts", put: account },
    { table: "profiles", put: profile },
  ]);
  return account;
}

/** Changes the account; its password is the primary user profile's. */
export function changeAccount(service: Service, account: Account, given: AccountUpdate): Account {
  const { store } = service;
  const changed = updateAccount(account, given, service.now());
  const primary = store.profiles.find(account.admin_profile_id);
  const changes: Change[] = changed === account ? [] : [{ table: "accounts", put: changed }];
  if (primary !== undefined && given.password !== undefined) {
    const profile = updateUserProfile(primary, { password: given.password }, service.now());
    if (profile !== primary) changes.push({ table: "profiles", put: profile });
  }
  store.commit(changes);
  return changed;
}

/** Deletes the account and all that is in it. */
export function removeAccount(service: Service, account: Account): void {
  const { store } = service;
  if (account.name === SYSTEM) throw denied("the system account cannot be deleted");
  const profiles = store.profiles.in("account_id", account.id);
  if (service.settings.accountDelete === "refuse") {
    const tokens = profiles.flatMap((profile) => store.authorizations.in("user_id", profile.id));
    if (profiles.length > 1 || tokens.length > 0) throw denied(`account ${account.name} is not empty`);
  }
  const { id, serial, uuid } = account;
  store.commit([
    ...profiles.flatMap((profile) => profileRemoval(service, profile)),
    { table: "accounts", remove: { id, serial, uuid, account_id: id } },
  ]);
}

/** Without the members that are undefined: a table's "may be absent" is not "may be undefined". */
function definedOf<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
