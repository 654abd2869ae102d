/** Makes the records that a service has from the start: the account "system" with its user, and records that another service has shown. */
import { accountFrom, newAccount, SYSTEM } from "./account";
import type { SeedRecords } from "./options";
import { EVERY_RIGHT } from "./permissions";
import { mergeChanges } from "./record";
import { requireFree } from "./routes/route";
import type { Service } from "./service";
import type { StoreChange } from "./store";
import { digestPassword, isPassword, newUserProfile, profileFrom, type UserProfile } from "./user-profile";

const DEFAULT_PASSWORD = "system";
const SYSTEM_LEVEL = 1000;

/** Creates the system user, or changes the name and password of the one among the records. */
export function ensureSystemUser(service: Service): {
  readonly username: string;
  /** "" where the records hold the user, whose password is unknown. */
  readonly password: string;
} {
  const { records, systemUser = {} } = service.settings;
  const { username } = systemUser;
  // The password of a seeded user is unknown.
  const password = systemUser.password ?? (records === undefined ? undefined : DEFAULT_PASSWORD);
  const account = service.store.accounts.by("name", SYSTEM);
  const known = account && service.store.profiles.find(account.admin_profile_id);
  const profile = known
    ? renew(service, known, username, password)
    : createSystemAccount(service, username ?? SYSTEM, password ?? DEFAULT_PASSWORD);
  const usedPassword = password ?? DEFAULT_PASSWORD;
  return {
    username: profile.login,
    password: isPassword(usedPassword, profile.password) ? usedPassword : "",
  };
}

function createSystemAccount(service: Service, login: string, password: string): UserProfile {
  const { store } = service;
  const ids = { account: store.accounts.newId(), profile: store.profiles.newId() };
  const account = newAccount({ name: SYSTEM }, ids, service.now());
  const profile = mergeChanges(
    newUserProfile(
      { id: ids.profile, account_id: ids.account, login, account_admin: true },
      { password },
      service.now(),
    ),
    { permissions: EVERY_RIGHT, level: SYSTEM_LEVEL, allow_su: false },
  );
  store.commit([
    { table: "accounts", put: account },
    { table: "profiles", put: profile },
  ]);
  return profile;
}

function renew(service: Service, known: UserProfile, login?: string, password?: string): UserProfile {
  if (login !== undefined && login !== known.login) requireFree(service, service.store.profiles, { login });
  const renewed = mergeChanges(known, {
    login,
    ...(password !== undefined &&
      !isPassword(password, known.password) && { password: digestPassword(password) }),
  });
  if (renewed !== known) service.store.commit([{ table: "profiles", put: renewed }]);
  return renewed;
}

/** Records in the form of another service's answers. Their ids, uuids and serials are kept. Missing and incomplete members are as in a new record. */
export function seed(service: Service, { accounts, profiles, usage = {} }: SeedRecords): void {
  const now = service.now();
  service.store.commit([
    ...accounts.map((shownRecord): StoreChange => ({
      table: "accounts",
      put: accountFrom(shownRecord, usage[String(shownRecord["id"])] ?? {}, now),
    })),
    ...profiles.map((shownRecord): StoreChange => ({
      table: "profiles",
      put: profileFrom(shownRecord, now),
    })),
  ]);
}
