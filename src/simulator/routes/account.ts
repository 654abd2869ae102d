/** The account calls (spec 4.3). */
import { accountCreate, accountUpdate, usageView, writeAccount } from "../account";
import type { Caller } from "../callers";
import { changeAccount, createAccount, removeAccount } from "../operations";
import { findVisible, requireAccountManager, requireAccountUpdate, requireWiderRights, sees } from "../rules";
import { listOf, type Service } from "../service";
import { created, isDeleted, NO_CONTENT, ok, okText, type Route, wants, withEtag } from "./route";

export function accountRoutes(service: Service): readonly Route[] {
  const { store, views, settings } = service;
  const find = (caller: Caller, ref: string) =>
    findVisible(caller, store.accounts, ref, (account) => account.id);

  return [
    {
      method: "GET",
      path: "/api/account",
      title: "List accounts",
      answer: (call) => {
        const caller = call.caller();
        const wanted = [...store.accounts.values()].filter(
          (account) => sees(caller, account.id) && wants(service, call, { name: account.name }),
        );
        return okText(listOf(wanted.map((account) => views.account(account))));
      },
    },
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
        return withEtag(created(writeAccount(account, settings.contacts, "retrieving")), account);
      },
    },
    {
      method: "GET",
      path: "/api/account/:ref",
      title: "Account",
      answer: (call) => {
        const account = find(call.caller(), call.ref);
        return withEtag(okText(views.account(account)), account);
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
        requireAccountUpdate(caller, account, given);
        const primary = store.profiles.find(account.admin_profile_id);
        if (given.password !== undefined) requireWiderRights(caller, undefined, primary?.permissions);
        const changed = changeAccount(service, account, given);
        return withEtag(okText(views.account(changed)), changed);
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
