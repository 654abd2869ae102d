/** The operations on user profiles, and the calls for them (spec 2.3, 4.4). A call checks the caller's rights first. */
import type { Account } from "../account";
import type { Caller } from "../callers";
import { NO_RIGHT } from "../permissions";
import { withBlankNested } from "../record";
import { accessRefusal, invalid, Refusal } from "../refusal";
import { requireMembers, requireUserManager, requireWiderRights } from "../rules";
import type { Service } from "../service";
import { type StoreChange, tombstoneOf } from "../store";
import { isOneTimePassword, type TwoFactor } from "../two-factor";
import {
  newUserProfile,
  profileNeeds,
  updateUserProfile,
  type UserProfile,
  type UserProfileCreate,
  userProfileCreate,
  userProfileRemove,
  type UserProfileUpdate,
  userProfileUpdate,
  writeUserProfile,
} from "../user-profile";
import { tokenRemovals } from "./authorization";
import {
  type RouteCall,
  createdAnswer,
  isDeleted,
  NO_CONTENT,
  readRoutes,
  requireFree,
  type Route,
  withEtag,
} from "./route";

export function createProfile(service: Service, account: Account, body: UserProfileCreate): UserProfile {
  const { username, account_id: _account, ...settings } = body;
  const login = `${username}@${account.name}`;
  const { store } = service;
  requireFree(service, store.profiles, { login }, body.uuid);
  const profile = newUserProfile(
    { id: store.profiles.newId(), account_id: account.id, login, account_admin: false },
    settings,
    service.now(),
  );
  requireDevicePassword(service, profile.two_factor, body);
  store.commit([{ table: "profiles", put: profile }]);
  return profile;
}

export function changeProfile(service: Service, profile: UserProfile, body: UserProfileUpdate): UserProfile {
  const { id, account_id, login, account_admin } = profile;
  const blank = { ...newUserProfile({ id, account_id, login, account_admin }, {}, 0), permissions: NO_RIGHT };
  const base = service.behaves("patchReplacesNested") ? withBlankNested(profile, blank, body) : profile;
  const updatedProfile = updateUserProfile(base, body, service.now());
  if (updatedProfile === profile) return profile;
  requireDevicePassword(service, updatedProfile.two_factor, body);
  service.store.commit(profileChange(service, profile, updatedProfile));
  return updatedProfile;
}

/** A service may end a user's tokens with the password. */
export function profileChange(
  service: Service,
  profile: UserProfile,
  updatedProfile: UserProfile,
): readonly StoreChange[] {
  if (updatedProfile === profile) return [];
  const endsTokens = service.settings.passwordEndsTokens && updatedProfile.password !== profile.password;
  return [{ table: "profiles", put: updatedProfile }, ...(endsTokens ? tokenRemovals(service, profile) : [])];
}

/** A profile goes with its tokens and sessions. */
export function profileRemoval(service: Service, profile: UserProfile): readonly StoreChange[] {
  return [
    ...tokenRemovals(service, profile),
    ...service.store.sessions
      .in("user_id", profile.id)
      .map((row): StoreChange => ({ table: "sessions", remove: tombstoneOf(row) })),
    { table: "profiles", remove: tombstoneOf(profile) },
  ];
}

/** A one-time password that comes with new settings shows that they and the device agree. */
function requireDevicePassword(service: Service, twoFactor: TwoFactor, body: UserProfileUpdate): void {
  const otp = body.two_factor?.otp;
  if (otp !== undefined && twoFactor.auth !== "none" && !isOneTimePassword(twoFactor, otp, service.now()))
    throw invalid([{ type: "otp", field: "/two_factor/otp", msg: "must be a password from the device" }]);
}

export function userProfileRoutes(service: Service): readonly Route[] {
  const { store } = service;
  const { find, answerOf, routes } = readRoutes({
    path: "/api/user-profile",
    titles: { list: "List user profiles", one: "User profile" },
    table: store.profiles,
    accountOf: ({ account_id }) => account_id,
    textOf: (profile) =>
      service.textOf(profile, () => writeUserProfile(profile, store.sessions.in("user_id", profile.id))),
  });

  return [
    ...routes,
    {
      method: "POST",
      path: "/api/user-profile",
      title: "Create a user profile",
      parameters: userProfileCreate,
      answer: (call) => {
        const caller = call.caller();
        const body = call.read(userProfileCreate);
        const account = accountFor(service, caller, body.account_id);
        requireWiderRights(caller, body.permissions);
        const profile = createProfile(service, account, body);
        return withEtag(createdAnswer(writeUserProfile(profile, [], "retrieving")), profile);
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
        const body = call.read(userProfileUpdate);
        requireMembers(caller, profile.id, body, profileNeeds, "user.manage_users");
        requireWiderRights(caller, body.permissions, profile.permissions);
        return answerOf(changeProfile(service, profile, body));
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
        if (profile.account_admin) throw accessRefusal("the primary user profile goes with its account");
        service.store.commit(profileRemoval(service, profile));
        return NO_CONTENT;
      },
    },
  ];
}

/** The account that a new profile is to belong to; the caller's own where none is named. */
function accountFor(service: Service, caller: Caller, ref: string | undefined): Account {
  const account = ref === undefined ? caller.account : service.store.accounts.find(ref);
  // Rights come first: the existence of an account is hidden from callers who may not use it.
  requireUserManager(caller, account?.id ?? "");
  if (account === undefined)
    throw invalid([{ type: "reference", field: "/account_id", msg: "must be an account" }]);
  return account;
}

/** The account may be named, in the body or the query, and must then be the right one. */
function requireAccount(service: Service, call: RouteCall, accountId: string): void {
  const ref = call.read(userProfileRemove).account_id ?? call.query["account_id"];
  if (ref === undefined || service.store.accounts.find(String(ref))?.id === accountId) return;
  throw new Refusal(404, `user_profile ${call.ref} not found in account ${String(ref)}`);
}
