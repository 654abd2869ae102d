/** The user profile calls (spec 4.4). */
import type { Account } from "../account";
import type { Caller } from "../callers";
import { changeProfile, createProfile, removeProfile } from "../operations";
import { invalid, Refusal } from "../refusal";
import { findVisible, requireProfileUpdate, requireUserManager, requireWiderRights, sees } from "../rules";
import { listOf, type Service } from "../service";
import { userProfileCreate, userProfileRemove, userProfileUpdate, writeUserProfile } from "../user-profile";
import { type Call, created, isDeleted, NO_CONTENT, okText, type Route, wants, withEtag } from "./route";

export function userProfileRoutes(service: Service): readonly Route[] {
  const { store, views } = service;
  const find = (caller: Caller, ref: string) =>
    findVisible(caller, store.profiles, ref, (profile) => profile.account_id);

  return [
    {
      method: "GET",
      path: "/api/user-profile",
      title: "List user profiles",
      answer: (call) => {
        const caller = call.caller();
        const wanted = [...store.profiles.values()].filter(
          (profile) => sees(caller, profile.account_id) && wants(service, call, { login: profile.login }),
        );
        return okText(listOf(wanted.map((profile) => views.userProfile(profile))));
      },
    },
    {
      method: "POST",
      path: "/api/user-profile",
      title: "Create a user profile",
      parameters: userProfileCreate,
      answer: (call) => {
        const caller = call.caller();
        const given = call.read(userProfileCreate);
        const account = accountFor(service, caller, given.account_id);
        requireWiderRights(caller, given.permissions);
        const profile = createProfile(service, account, given);
        return withEtag(created(writeUserProfile(profile, [], "retrieving")), profile);
      },
    },
    {
      method: "GET",
      path: "/api/user-profile/:ref",
      title: "User profile",
      answer: (call) => {
        const profile = find(call.caller(), call.ref);
        return withEtag(okText(views.userProfile(profile)), profile);
      },
    },
    {
      method: "PATCH",
      path: "/api/user-profile/:ref",
      title: "Update a user profile",
      parameters: userProfileUpdate,
      answer: (call) => {
        const caller = call.caller();
        const profile = find(caller, call.ref);
        const given = call.read(userProfileUpdate);
        requireProfileUpdate(caller, profile, given);
        requireWiderRights(caller, given.permissions, profile.permissions);
        const changed = changeProfile(service, profile, given);
        return withEtag(okText(views.userProfile(changed)), changed);
      },
    },
    {
      method: "DELETE",
      path: "/api/user-profile/:ref",
      title: "Remove a user profile",
      parameters: userProfileRemove,
      answer: (call) => {
        const caller = call.caller();
        if (isDeleted(caller, store.profiles, call.ref)) return NO_CONTENT;
        const profile = find(caller, call.ref);
        requireUserManager(caller, profile.account_id);
        requireAccount(service, call, profile.account_id);
        requireWiderRights(caller, undefined, profile.permissions);
        removeProfile(service, profile);
        return NO_CONTENT;
      },
    },
  ];
}

/** The account that a new profile is to belong to; the caller's own where none is named. */
function accountFor(service: Service, caller: Caller, ref: string | undefined): Account {
  const account = ref === undefined ? caller.account : service.store.accounts.find(ref);
  // Rights come first: whether there is such an account is nobody's business who may not use it.
  requireUserManager(caller, account?.id ?? "");
  if (account === undefined)
    throw invalid([{ type: "reference", field: "/account_id", msg: "must be an account" }]);
  return account;
}

/** The account may be named, in the body or the query, and must then be the right one. */
function requireAccount(service: Service, call: Call, accountId: string): void {
  const ref = call.read(userProfileRemove).account_id ?? call.query["account_id"];
  if (ref === undefined || service.store.accounts.find(String(ref))?.id === accountId) return;
  throw new Refusal(404, `user_profile ${call.ref} not found in account ${String(ref)}`);
}
