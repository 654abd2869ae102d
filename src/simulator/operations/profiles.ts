/** What can be done to user profiles (spec 4.4). Who may do it is decided before. */
import { isOneTimePassword } from "../access/one-time-password";
import type { UserProfileCreate, UserProfileUpdate } from "../parameters/user-profile";
import type { Account } from "../records/account";
import type { TwoFactor } from "../records/two-factor";
import { newUserProfile, updateUserProfile, type UserProfile } from "../records/user-profile";
import { denied, invalid } from "../refusal";
import type { Service } from "../service";
import type { Change } from "../store/store";
import { requireFree } from "./uniqueness";

export function createProfile(service: Service, account: Account, given: UserProfileCreate): UserProfile {
  const { username, account_id: _account, ...settings } = given;
  const login = `${username}@${account.name}`;
  requireFree(service, "user profile", login, given.uuid);
  const { store } = service;
  const profile = newUserProfile(
    { id: store.profiles.newId(), account_id: account.id, login, account_admin: false },
    settings,
    service.now(),
  );
  requireDevicePassword(service, profile.two_factor, given);
  store.commit([{ table: "profiles", put: profile }]);
  return profile;
}

export function changeProfile(service: Service, profile: UserProfile, given: UserProfileUpdate): UserProfile {
  const changed = updateUserProfile(profile, given, service.now());
  if (changed === profile) return profile;
  requireDevicePassword(service, changed.two_factor, given);
  const endsTokens = service.settings.passwordEndsTokens && changed.password !== profile.password;
  service.store.commit([
    { table: "profiles", put: changed },
    ...(endsTokens ? tokenRemovals(service, profile) : []),
  ]);
  return changed;
}

export function removeProfile(service: Service, profile: UserProfile): void {
  if (profile.account_admin) throw denied("the primary user profile goes with its account");
  service.store.commit(profileRemoval(service, profile));
}

/** A profile goes with its tokens and sessions. */
export function profileRemoval(service: Service, profile: UserProfile): readonly Change[] {
  const { store } = service;
  const { id, serial, uuid, account_id } = profile;
  return [
    ...tokenRemovals(service, profile),
    ...store.sessions
      .in("user_id", id)
      .map((row): Change => ({ table: "sessions", remove: tombstoneOf(row) })),
    { table: "profiles", remove: { id, serial, uuid, account_id } },
  ];
}

function tokenRemovals({ store }: Service, { id }: UserProfile): readonly Change[] {
  return store.authorizations
    .in("user_id", id)
    .map((row): Change => ({ table: "authorizations", remove: tombstoneOf(row) }));
}

export function tombstoneOf({ id, serial, account_id }: { id: string; serial: string; account_id: string }) {
  return { id, serial, account_id };
}

/** A one-time password that comes with new settings shows that they and the device agree. */
function requireDevicePassword(service: Service, twoFactor: TwoFactor, given: UserProfileUpdate): void {
  const otp = given.two_factor?.otp;
  if (otp !== undefined && twoFactor.auth !== "none" && !isOneTimePassword(twoFactor, otp, service.now()))
    throw invalid([{ type: "otp", field: "/two_factor/otp", msg: "must be a password from the device" }]);
}
