/** What a service has from the start: the account "system" with its user, and records that another service has shown. */
import { randomUUID } from "node:crypto";
import { type Account, newAccount, type Usage } from "./account";
import { requireFree, SYSTEM } from "./operations";
import type { SeedRecords, Shown } from "./options";
import { EVERYTHING } from "./permissions";
import { type Identity, merge, newVerificationToken } from "./record";
import type { Service } from "./service";
import type { Change } from "./store";
import type { TwoFactor } from "./two-factor";
import { digestPassword, isPassword, newUserProfile, type UserProfile } from "./user-profile";

const DEFAULT_PASSWORD = "system";
const LEVEL = 1000;

interface SystemUser {
  readonly username: string;
  /** "" where the data file holds another password than was given: it can't be told. */
  readonly password: string;
}

/** Makes them, or gives those that the data file knows the name and password that were asked for. */
export function ensureSystemUser(service: Service): SystemUser {
  const { records, systemUser = {} } = service.settings;
  const { username } = systemUser;
  // The password of a user who was only shown is known to nobody.
  const password = systemUser.password ?? (records === undefined ? undefined : DEFAULT_PASSWORD);
  const account = service.store.accounts.by("name", SYSTEM);
  const known = account && service.store.profiles.find(account.admin_profile_id);
  const profile = known
    ? renew(service, known, username, password)
    : create(service, username ?? SYSTEM, password ?? DEFAULT_PASSWORD);
  const told = password ?? DEFAULT_PASSWORD;
  return { username: profile.login, password: isPassword(told, profile.password) ? told : "" };
}

function create(service: Service, login: string, password: string): UserProfile {
  const { store } = service;
  const ids = { account: store.accounts.newId(), profile: store.profiles.newId() };
  const account = newAccount({ name: SYSTEM }, ids, service.now());
  const profile = merge(
    newUserProfile(
      { id: ids.profile, account_id: ids.account, login, account_admin: true },
      { password },
      service.now(),
    ),
    { permissions: EVERYTHING, level: LEVEL, allow_su: false },
  );
  store.commit([
    { table: "accounts", put: account },
    { table: "profiles", put: profile },
  ]);
  return profile;
}

function renew(service: Service, known: UserProfile, login?: string, password?: string): UserProfile {
  if (login !== undefined && login !== known.login) requireFree(service, "user profile", login);
  const renewed = merge(known, {
    login,
    ...(password !== undefined &&
      !isPassword(password, known.password) && { password: digestPassword(password) }),
  });
  if (renewed !== known) service.store.commit([{ table: "profiles", put: renewed }]);
  return renewed;
}

// Records that another service has shown. What no answer shows (passwords, tokens) is made anew.

/** Ids, uuids and serials are those of the records. What is not shown, or not whole, is as in a new record. */
export function seed(service: Service, { accounts, profiles, usage = {} }: SeedRecords): void {
  const now = service.now();
  service.store.commit([
    ...accounts.map((shown): Change => ({
      table: "accounts",
      put: accountOf(shown, usage[text(shown["id"])], now),
    })),
    ...profiles.map((shown): Change => ({ table: "profiles", put: profileOf(shown, now) })),
  ]);
}

/** Of each member of a record, whether it is taken as it is shown; the others are made from what is shown, or anew. */
type Taken<R> = Readonly<Record<keyof R, boolean>>;

const OF_ANY: Taken<Identity> = { id: true, uuid: true, serial: true, ctime: true, mtime: true, seq: true };

const OF_ACCOUNT: Taken<Account> = {
  ...OF_ANY,
  name: true,
  disabled: true,
  admin_profile_id: true,
  usage_id: true,
  template: false,
  primary_contact: false,
  billing_contact: false,
  limits: true,
  provisioning: true,
  usage: false,
};

const OF_PROFILE: Taken<UserProfile> = {
  ...OF_ANY,
  account_id: true,
  login: true,
  activated: true,
  allow_su: true,
  level: true,
  timezone: true,
  account_admin: true,
  app_default: true,
  access: true,
  email: true,
  email_notify: true,
  email_verified: true,
  sms: false,
  sms_notify: true,
  two_factor: false,
  permissions: true,
  xmd_refs: true,
  xref: true,
  password: false,
};

/** Users are counted here, too. */
const OF_USAGE: Taken<Usage> = {
  size_reserve: true,
  iops_reserve: true,
  vss_num: true,
  vdisk_num: true,
  clones_num: true,
  repl_num: true,
  snapshot_num: true,
  target_num: true,
  profile_num: false,
  user_num: false,
};

const OF_TWO_FACTOR: Taken<TwoFactor> = {
  auth: true,
  yubikey_id: true,
  security_email: true,
  secret: false,
  private_id: false,
  spent: false,
};

function accountOf(shown: Shown, counters: Shown | undefined, now: number): Account {
  const ids = { account: text(shown["id"]), profile: text(shown["admin_profile_id"]) };
  const blank = newAccount({ name: text(shown["name"]) }, ids, now);
  return merge(blank, {
    ...picked(shown, OF_ACCOUNT),
    ...contactsOf(shown),
    usage: counters === undefined ? {} : picked(counters, OF_USAGE),
  });
}

function contactsOf(shown: Shown): object {
  const found = ["primary_contact", "billing_contact"].flatMap((name) => {
    const contact = shown[name];
    return isMembers(contact) ? [[name, verifiable(contact)]] : [];
  });
  return Object.fromEntries(found) as object;
}

/** A contact, with tokens of this service in place of those that nobody is shown. */
function verifiable({ phone, email, ...rest }: Shown): Shown {
  const address: Shown = isMembers(rest["address"]) ? rest["address"] : {};
  return {
    first_name: "",
    last_name: "",
    ...rest,
    address: { addr: [], country: "US", ...address },
    ...(isMembers(phone) && { phone: { valid: false, ...phone, token: newVerificationToken() } }),
    ...(isMembers(email) && { email: { valid: false, ...email, token: newVerificationToken() } }),
  };
}

function profileOf(shown: Shown, now: number): UserProfile {
  const whose = {
    id: text(shown["id"]),
    account_id: text(shown["account_id"]),
    login: text(shown["login"]),
    account_admin: shown["account_admin"] === true,
  };
  const { sms, two_factor: factor } = shown;
  return merge(newUserProfile(whose, {}, now), {
    ...picked(shown, OF_PROFILE),
    // Nobody knows the password, and yet there is one.
    ...(shown["password_set"] === true && { password: digestPassword(randomUUID()) }),
    ...(isMembers(sms) && { sms: { number: "", valid: false, ...sms, token: newVerificationToken() } }),
    ...(isMembers(factor) && { two_factor: picked(factor, OF_TWO_FACTOR) }),
  });
}

function picked<R>(shown: Shown, taken: Taken<R>): Shown {
  return Object.fromEntries(
    Object.entries(taken).flatMap(([name, isTaken]) =>
      isTaken === true && shown[name] !== undefined ? [[name, shown[name]]] : [],
    ),
  );
}

function isMembers(value: unknown): value is Shown {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
