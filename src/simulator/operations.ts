/** What can be done to accounts, user profiles and tokens (spec 4.2 to 4.4, 5). Who may do it is decided before. */
import { type Account, type AccountCreate, type AccountUpdate, newAccount, updateAccount } from "./account";
import { admit, type Caller, checkPassword, forgetView } from "./callers";
import { denied, invalid, Refusal, unauthenticated } from "./refusal";
import type { Service } from "./service";
import type { Change } from "./store";
import { type Authorization, newAuthorization, newSession, type Session } from "./tokens";
import { isOneTimePassword, spendPassword, type TwoFactor } from "./two-factor";
import {
  newUserProfile,
  updateUserProfile,
  type UserProfile,
  type UserProfileCreate,
  type UserProfileUpdate,
} from "./user-profile";

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

function tombstoneOf({ id, serial, account_id }: { id: string; serial: string; account_id: string }) {
  return { id, serial, account_id };
}

/** A one-time password that comes with new settings shows that they and the device agree. */
function requireDevicePassword(service: Service, twoFactor: TwoFactor, given: UserProfileUpdate): void {
  const otp = given.two_factor?.otp;
  if (otp !== undefined && twoFactor.auth !== "none" && !isOneTimePassword(twoFactor, otp, service.now()))
    throw invalid([{ type: "otp", field: "/two_factor/otp", msg: "must be a password from the device" }]);
}

interface LogIn {
  readonly username: string;
  readonly password: string;
  readonly otp: string | undefined;
  /** Source address of the request. */
  readonly addr: string | null;
}

/** Exchanges a password, and a one-time password where two-factor asks for it, for a session. */
export function logIn(
  service: Service,
  { username, password, otp, addr }: LogIn,
): { readonly caller: Caller; readonly session: Session; readonly access_token: string } {
  const { store, settings } = service;
  const profile = checkPassword(service, username, password);
  admit(service, profile, { kind: "basic" });
  const changes: Change[] = spend(service, profile, otp);
  const { session, access_token } = newSession(
    store.sessions.newId(),
    profile,
    { now: service.now(), lifetimeSeconds: settings.tokenLifetimeSeconds },
    addr,
  );
  store.commit([...changes, { table: "sessions", put: session }]);
  forgetView(service, session);
  return { caller: admit(service, profile, { kind: "session", session }), session, access_token };
}

function spend(service: Service, profile: UserProfile, otp: string | undefined): Change[] {
  if (profile.two_factor.auth === "none") return [];
  const two_factor =
    otp === undefined ? undefined : spendPassword(profile.two_factor, otp.trim(), service.now());
  if (two_factor === undefined)
    throw unauthenticated(
      otp === undefined ? "one-time password required" : "one-time password is wrong or was used before",
      { [service.settings.otpHeader]: "required" },
    );
  return [{ table: "profiles", put: { ...profile, two_factor } }];
}

export function mintToken(
  service: Service,
  profile: UserProfile,
): { readonly authorization: Authorization; readonly access_token: string } {
  const minted = newAuthorization(service.store.authorizations.newId(), profile, service.now());
  service.store.commit([{ table: "authorizations", put: minted.authorization }]);
  return minted;
}

export function revokeToken(service: Service, authorization: Authorization): void {
  service.store.commit([{ table: "authorizations", remove: tombstoneOf(authorization) }]);
}

/**
 * Names, logins and uuids belong to one record each.
 * @throws Refusal 409 (or 400, as the options say)
 */
export function requireFree(service: Service, kind: "account" | "user profile", key: string, uuid?: string) {
  const { accounts, profiles } = service.store;
  const taken =
    kind === "account" ? accounts.by("name", key) !== undefined : profiles.by("login", key) !== undefined;
  if (taken) throw duplicate(service, `${kind} ${key} exists already`);
  if (uuid === undefined) return;
  const table = kind === "account" ? accounts : profiles;
  const isLive = table.by("uuid", uuid.toLowerCase()) !== undefined;
  if (isLive || (!service.settings.reuseUuids && table.hadUuid(uuid)))
    throw duplicate(service, `uuid ${uuid} is taken`);
}

function duplicate(service: Service, message: string): Refusal {
  return new Refusal(service.settings.duplicateStatus, message, { type: "duplicate" });
}
