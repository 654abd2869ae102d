/** A user profile: what its calls take, what is stored of it, and what answers show (spec 2.3, 4.4). */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { toJsonObject } from "./json";
import type { Shown } from "./options";
import { boolean, email, type Given, integer, object, oneOf, strings, text, uuid } from "./parameters";
import {
  type Need,
  NEW_PROFILE,
  permissionParameters,
  type Permissions,
  permissionsView,
} from "./permissions";
import {
  commonMembers,
  type Events,
  type Identity,
  INTERNAL,
  isMembers,
  maskNumber,
  merge,
  newIdentity,
  newVerificationToken,
  revise,
  takenFrom,
  textIn,
} from "./record";
import type { Session } from "./tokens";
import { NO_TWO_FACTOR, type TwoFactor, twoFactorParameter, updateTwoFactor } from "./two-factor";

const settings = {
  xmd_refs: strings(),
  xref: text(1, 256).nullable(),
  host: text(),
  password: text(1, 64).nullable(),
  two_factor: twoFactorParameter,
  permissions: permissionParameters,
  access: object({ web: boolean(), api: boolean() }),
  allow_su: boolean(),
  email_notify: boolean(),
  email: email(128).nullable(),
  email_verify: boolean(),
  sms_notify: boolean(),
  // Null takes it away: it is nullable in the record (spec 2.3).
  sms: text(0, 24).nullable(),
  sms_verify: boolean(),
  app_default: oneOf("storage", "infrastructure", "account", "securedrive"),
  level: integer(),
};

export const userProfileCreate = {
  username: text(1, 64).mandatory(),
  account_id: text(),
  uuid: uuid(),
  ...settings,
};

/** The spec does not show these: create's parameters without those that identify the user, and `activated`, which an account's create has. */
export const userProfileUpdate = { ...settings, activated: boolean() };

export const userProfileRemove = { account_id: text() };

export type UserProfileCreate = Given<typeof userProfileCreate>;
export type UserProfileUpdate = Given<typeof userProfileUpdate>;

/** Who may change what. */
export const profileNeeds: Readonly<Record<keyof UserProfileUpdate, Need>> = {
  host: { right: "user.manage_users", own: true },
  password: { right: "user.reset_user_password", own: true },
  two_factor: { right: "user.reset_user_two_factor", own: true },
  email: { right: "user.modify_user_contact_settings", own: true },
  email_notify: { right: "user.modify_user_contact_settings", own: true },
  email_verify: { right: "user.modify_user_contact_settings", own: true },
  sms: { right: "user.modify_user_contact_settings", own: true },
  sms_notify: { right: "user.modify_user_contact_settings", own: true },
  sms_verify: { right: "user.modify_user_contact_settings", own: true },
  app_default: { right: "user.manage_users", own: true },
  xmd_refs: { right: "user.manage_users" },
  xref: { right: "user.manage_users" },
  permissions: { right: "user.manage_users" },
  access: { right: "user.manage_users" },
  allow_su: { right: "user.manage_users" },
  level: { right: "user.manage_users" },
  activated: { right: "user.manage_users" },
};

// Passwords are kept as salted digests: the data file of a simulator may lie about for long.

interface PasswordDigest {
  readonly salt: string;
  readonly digest: string;
}

export function digestPassword(password: string): PasswordDigest {
  const salt = randomBytes(12).toString("base64");
  return { salt, digest: digest(salt, password) };
}

/** Never true where no password is set. */
export function isPassword(password: string, stored: PasswordDigest | null): boolean {
  return stored !== null && digest(stored.salt, password) === stored.digest;
}

// One round only: basic credentials are checked at every request, and these passwords guard nothing but test data.
function digest(salt: string, password: string): string {
  return createHash("sha256")
    .update(salt + password)
    .digest("base64");
}

export interface UserProfile extends Identity {
  readonly account_id: string;
  readonly login: string;
  readonly activated: boolean;
  readonly allow_su: boolean;
  readonly level: number | bigint;
  readonly timezone: "local";
  readonly account_admin: boolean;
  readonly app_default: "storage" | "infrastructure" | "account" | "securedrive";
  readonly access: { readonly web: boolean; readonly api: boolean };
  readonly email: string | null;
  readonly email_notify: boolean;
  readonly email_verified: boolean;
  readonly sms: { readonly number: string; readonly valid: boolean; readonly token: string } | null;
  readonly sms_notify: boolean;
  readonly two_factor: TwoFactor;
  readonly permissions: Permissions;
  readonly xmd_refs: readonly string[];
  readonly xref: string | null;
  readonly password: PasswordDigest | null;
}

/** Who the profile is, apart from what its parameters say. */
interface Ownership {
  readonly id: string;
  readonly account_id: string;
  readonly login: string;
  readonly account_admin: boolean;
}

/** Members that are undefined count as absent. */
type Loosely<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Levels rank the users of a service: one may switch only to a lower one. */
const LEVEL = { primary: 10, user: 0 };

export function newUserProfile(
  whose: Ownership,
  given: Loosely<UserProfileUpdate & Pick<UserProfileCreate, "uuid">>,
  now: number,
): UserProfile {
  const blank: UserProfile = {
    ...newIdentity(whose.id, "USR1B", now, given.uuid),
    ...whose,
    activated: true,
    allow_su: true,
    level: whose.account_admin ? LEVEL.primary : LEVEL.user,
    timezone: "local",
    app_default: "storage",
    access: { web: true, api: true },
    email: null,
    email_notify: false,
    email_verified: false,
    sms: null,
    sms_notify: false,
    two_factor: NO_TWO_FACTOR,
    permissions: NEW_PROFILE,
    xmd_refs: [],
    xref: null,
    password: null,
  };
  return merge(blank, changesOf(blank, given));
}

export function updateUserProfile(profile: UserProfile, given: UserProfileUpdate, now: number): UserProfile {
  return revise(profile, changesOf(profile, given), now);
}

/** What the parameters mean for the record, where the two are not the same. */
function changesOf(profile: UserProfile, given: Loosely<UserProfileUpdate>) {
  const { host: _host, password, two_factor, sms, email, email_verify: _e, sms_verify: _s, ...same } = given;
  return {
    ...same,
    // What was not changed keeps its salt: an update that changes nothing leaves the record as it was.
    ...(password !== undefined &&
      !(password !== null && isPassword(password, profile.password)) && {
        password: password === null ? null : digestPassword(password),
      }),
    ...(two_factor && { two_factor: updateTwoFactor(profile.two_factor, two_factor) }),
    ...(email !== undefined && email !== profile.email && { email, email_verified: false }),
    ...(sms !== undefined &&
      sms !== profile.sms?.number && {
        sms: sms === null ? null : { number: sms, valid: false, token: newVerificationToken() },
      }),
  };
}

// A profile that another service has shown.

export function profileFrom(shown: Shown, now: number): UserProfile {
  const whose = {
    id: textIn(shown["id"]),
    account_id: textIn(shown["account_id"]),
    login: textIn(shown["login"]),
    account_admin: shown["account_admin"] === true,
  };
  const { sms, two_factor: factor } = shown;
  const blank = newUserProfile(whose, {}, now);
  return merge(blank, {
    ...takenFrom(shown, blank, ["sms", "two_factor", "password"]),
    // There is a password, although nobody knows it.
    ...(shown["password_set"] === true && { password: digestPassword(randomUUID()) }),
    ...(isMembers(sms) && { sms: { number: "", valid: false, ...sms, token: newVerificationToken() } }),
    ...(isMembers(factor) && {
      two_factor: takenFrom(factor, NO_TWO_FACTOR, ["secret", "private_id", "spent"]),
    }),
  });
}

/**
 * The profile as answers show it.
 * @returns JSON
 */
export function writeUserProfile(
  profile: UserProfile,
  sessions: readonly Session[],
  events: Events = "current",
): string {
  const { auth, yubikey_id, security_email } = profile.two_factor;
  return toJsonObject(commonMembers(profile, events), {
    account_id: profile.account_id,
    login: profile.login,
    activated: profile.activated,
    password_set: profile.password !== null,
    allow_su: profile.allow_su,
    level: profile.level,
    timezone: profile.timezone,
    account_admin: profile.account_admin,
    app_default: profile.app_default,
    access: profile.access,
    email: profile.email,
    email_notify: profile.email_notify,
    email_verified: profile.email_verified,
    sms_notify: profile.sms_notify,
    sms: profile.sms && { ...profile.sms, number: maskNumber(profile.sms.number) },
    two_factor: { auth, yubikey_id, security_email },
    idp: INTERNAL,
    permissions: permissionsView(profile.permissions),
    xmd_refs: profile.xmd_refs,
    xref: profile.xref,
    xmd: null,
    sessions: sessions.map(sessionView),
  });
}

function sessionView({ serial, id, created_ms, last_ms, addr }: Session) {
  return { serial, id, created_ms, last_ms, addr };
}
