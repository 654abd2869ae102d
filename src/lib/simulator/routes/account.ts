/** The operations on accounts, and the calls for them (spec 2.2, 4.3). A call checks the caller's rights first. */
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
import { withBlankNested } from "../record";
import { accessRefusal } from "../refusal";
import { requireAccountManager, requireMembers, requireWiderRights } from "../rules";
import type { Service } from "../service";
import { type StoreChange, tombstoneOf } from "../store";
import { newUserProfile, updateUserProfile } from "../user-profile";
import {
  createdAnswer,
  isDeleted,
  NO_CONTENT,
  ok,
  readRoutes,
  requireFree,
  type Route,
  withEtag,
} from "./route";
import { profileChange, profileRemoval } from "./user-profile";

/** Makes an account together with its primary user profile, whose login is the account's name. */
export function createAccount(service: Service, body: AccountCreate): Account {
  const { store } = service;
  requireFree(service, store.accounts, { name: body.name }, body.uuid);
  requireFree(service, store.profiles, { login: body.name }, body.user_uuid);
  const ids = { account: store.accounts.newId(), profile: store.profiles.newId() };
  const account = newAccount(body, ids, service.now());
  const profile = newUserProfile(
    { id: ids.profile, account_id: ids.account, login: body.name, account_admin: true },
    primaryProfileSettings(body),
    service.now(),
  );
  store.commit([
    { table: "accounts", put: account },
    { table: "profiles", put: profile },
  ]);
  return account;
}

/** Changes the account; its password is the primary user profile's. */
export function changeAccount(service: Service, account: Account, body: AccountUpdate): Account {
  const { store } = service;
  const { name, id, admin_profile_id: profileId } = account;
  const blank = newAccount({ name }, { account: id, profile: profileId }, 0);
  const base = service.behaves("patchReplacesNested") ? withBlankNested(account, blank, body) : account;
  const updatedAccount = updateAccount(base, body, service.now());
  const primary = store.profiles.find(account.admin_profile_id);
  const changes: StoreChange[] =
    updatedAccount === account ? [] : [{ table: "accounts", put: updatedAccount }];
  if (primary !== undefined && body.password !== undefined) {
    const profile = updateUserProfile(primary, { password: body.password }, service.now());
    changes.push(...profileChange(service, primary, profile));
  }
  store.commit(changes);
  return updatedAccount;
}

/** Deletes the account and all its contents. */
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
  const { find, answerOf, routes } = readRoutes({
    path: "/api/account",
    titles: { list: "List accounts", one: "Account" },
    table: store.accounts,
    accountOf: ({ id }) => id,
    textOf: (account) => service.textOf(account, () => writeAccount(account, settings.contacts)),
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
        const body = call.read(accountCreate);
        requireWiderRights(caller, body.permissions);
        const account = createAccount(service, body);
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
        const body = call.read(accountUpdate);
        requireMembers(caller, account.admin_profile_id, body, accountNeeds, "realm.manage_accounts");
        const primary = store.profiles.find(account.admin_profile_id);
        if (body.password !== undefined) requireWiderRights(caller, undefined, primary?.permissions);
        return answerOf(changeAccount(service, account, body));
      },
    },
    {
      method: "DELETE",
      path: "/api/account/:ref",
      title: "Remove an account and all its contents",
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
