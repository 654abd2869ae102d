/** What can be done to accounts, and the calls for it (spec 2.2, 4.3). Who may do it, a call asks first. */
import {
  type Account,
  type AccountCreate,
  accountCreate,
  accountNeeds,
  type AccountUpdate,
  accountUpdate,
  newAccount,
  primaryProfileSettings,
  SYSTEM,
  updateAccount,
  usageView,
  writeAccount,
} from "../account";
import { accessRefusal } from "../refusal";
import { requireAccountManager, requireMembers, requireWiderRights } from "../rules";
import type { Service } from "../service";
import { type Change, tombstoneOf } from "../store";
import { newUserProfile, updateUserProfile } from "../user-profile";
import {
  createdAnswer,
  isDeleted,
  NO_CONTENT,
  ok,
  okText,
  readRoutes,
  requireFree,
  type Route,
  withEtag,
} from "./route";
import { profileChange, profileRemoval } from "./user-profile";

/** Makes an account together with its primary user profile, whose login is the account's name. */
export function createAccount(service: Service, given: AccountCreate): Account {
  const { store } = service;
  requireFree(service, store.accounts, { name: given.name }, given.uuid);
  requireFree(service, store.profiles, { login: given.name }, given.user_uuid);
  const ids = { account: store.accounts.newId(), profile: store.profiles.newId() };
  const account = newAccount(given, ids, service.now());
  const profile = newUserProfile(
    { id: ids.profile, account_id: ids.account, login: given.name, account_admin: true },
    primaryProfileSettings(given),
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
    changes.push(...profileChange(service, primary, profile));
  }
  store.commit(changes);
  return changed;
}

/** Deletes the account and all that is in it. */
export function removeAccount(service: Service, account: Account): void {
  const { store } = service;
  if (account.name === SYSTEM) throw accessRefusal("the system account cannot be deleted");
  const profiles = store.profiles.in("account_id", account.id);
  if (service.settings.accountDelete === "refuse") {
    const tokens = profiles.flatMap((profile) => store.authorizations.in("user_id", profile.id));
    if (profiles.length > 1 || tokens.length > 0) throw accessRefusal(`account ${account.name} is not empty`);
  }
  store.commit([
    ...profiles.flatMap((profile) => profileRemoval(service, profile)),
    { table: "accounts", remove: tombstoneOf({ ...account, account_id: account.id }) },
  ]);
}

export function accountRoutes(service: Service): readonly Route[] {
  const { store, settings } = service;
  const textOf = (account: Account) =>
    service.textOf(account, () => writeAccount(account, settings.contacts));
  const { find, routes } = readRoutes(service, {
    path: "/api/account",
    titles: { list: "List accounts", one: "Account" },
    table: store.accounts,
    accountOf: ({ id }) => id,
    filters: ({ name }) => ({ name }),
    textOf,
  });

  return [
    ...routes,
    {
      method: "POST",
      path: "/api/account",
      title: "Create an account and its primary user profile",
      parameters: accountCreate,
      answer: (call) => {
        const caller = call.caller();
        requireAccountManager(caller);
        const given = call.read(accountCreate);
        requireWiderRights(caller, given.permissions);
        const account = createAccount(service, given);
        return withEtag(createdAnswer(writeAccount(account, settings.contacts, "retrieving")), account);
      },
    },
    {
      method: "PATCH",
      path: "/api/account/:ref",
      title: "Update an account",
      parameters: accountUpdate,
      answer: (call) => {
        const caller = call.caller();
        const account = find(caller, call.ref);
        const given = call.read(accountUpdate);
        requireMembers(caller, account.admin_profile_id, given, accountNeeds, "realm.manage_accounts");
        const primary = store.profiles.find(account.admin_profile_id);
        if (given.password !== undefined) requireWiderRights(caller, undefined, primary?.permissions);
        const changed = changeAccount(service, account, given);
        return withEtag(okText(textOf(changed)), changed);
      },
    },
    {
      method: "DELETE",
      path: "/api/account/:ref",
      title: "Remove an account and all that is in it",
      answer: (call) => {
        const caller = call.caller();
        requireAccountManager(caller);
        if (isDeleted(caller, store.accounts, call.ref)) return NO_CONTENT;
        removeAccount(service, find(caller, call.ref));
        return NO_CONTENT;
      },
    },
    {
      method: "GET",
      path: "/api/account/:ref/usage",
      title: "Usage of an account",
      answer: (call) => {
        const account = find(call.caller(), call.ref);
        return ok(usageView(account, store.profiles.in("account_id", account.id).length));
      },
    },
  ];
}
