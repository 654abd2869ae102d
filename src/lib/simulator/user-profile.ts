/** A user profile: the input of its calls, its stored record, and its form in answers (spec 2.3, 4.4). */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import * as parameters from "./generated/parameters";
import { toJsonObject } from "./json";
import type { Shown } from "./options";
import { emptyValues, type Given, type Stored, text, withoutHidden } from "./parameters";
import {
  type Needs,
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
  mergeChanges,
  newIdentity,
  newVerificationToken,
  revise,
  takenFrom,
  textOrEmpty,
} from "./record";
import type { Session } from "./tokens";
import { NO_TWO_FACTOR, type TwoFactor, updateTwoFactor } from "./two-factor";

export const userProfileCreate = { ...parameters.userProfileCreate, permissions: permissionParameters };

/** The spec does not show these. */
export const userProfileUpdate = { ...parameters.userProfileUpdate, permissions: permissionParameters };

export const userProfileRemove = { account_id: text() };

export type UserProfileCreate = Given<typeof userProfileCreate>;
export type UserProfileUpdate = Given<typeof userProfileUpdate>;

/** The parameters that a record keeps as they are given. */
const {
  username: _username,
  account_id: _account,
  uuid: _uuid,
  host: _host,
  password: _password,
  email_verify: _emailVerify,
  sms: _sms,
  sms_verify: _smsVerify,
  two_factor: _twoFactor,
  ...plainParameters
} = { ...parameters.userProfileCreate, ...parameters.userProfileUpdate };
const shownParameters = withoutHidden(plainParameters);

const CONTACT = { right: "user.modify_user_contact_settings", own: true } as const;

/** The right that each change needs. A member that is not listed needs `user.manage_users`. */
export const profileNeeds: Needs<UserProfileUpdate> = {
  host: { right: "user.manage_users", own: true },
  password: { right: "user.reset_user_password", own: true },
  two_factor: { right: "user.reset_user_two_factor", own: true },
  email: CONTACT,
  email_notify: CONTACT,
  email_verify: CONTACT,
  sms: CONTACT,
  sms_notify: CONTACT,
  sms_verify: CONTACT,
  app_default: { right: "user.manage_users", own: true },
};

// Passwords are kept as salted digests: a record that is printed shows none.

interface PasswordDigest {
  readonly salt: string;
  readonly digest: string;
}

export function digestPassword(password: string): PasswordDigest {
  const salt = randomBytes(12).toString("base64");
  return { salt, digest: digest(salt, password) };
}

/** Never true if no password is set. */
export function isPassword(password: string, storedDigest: PasswordDigest | null): boolean {
  return storedDigest !== null && digest(storedDigest.salt, password) === storedDigest.digest;
}

// One round only: basic credentials are checked at every request, and these passwords protect only test data.
function digest(salt: string, password: string): string {
  return createHash("sha256")
    .update(salt + password)
    .digest("base64");
}

export interface UserProfile extends Identity, Stored<typeof plainParameters> {
  readonly account_id: string;
  readonly login: string;
  readonly timezone: "local";
  /** An account's create takes it for the primary user profile, and no update does. */
  readonly activated: boolean;
  readonly account_admin: boolean;
  readonly email_verified: boolean;
  readonly sms: { readonly number: string; readonly valid: boolean; readonly token: string } | null;
  readonly two_factor: TwoFactor;
  readonly permissions: Permissions;
  readonly password: PasswordDigest | null;
}

/** Members that are undefined count as absent. */
type Loosely<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Levels rank the users of a service: one may switch only to a lower one. */
const LEVEL = { primary: 10, user: 0 };

type ProfileMembers = UserProfileUpdate & Pick<UserProfile, "activated">;

export function newUserProfile(
  whose: {
    readonly id: string;
    readonly account_id: string;
    readonly login: string;
    readonly account_admin: boolean;
  },
  body: Loosely<ProfileMembers & Omit<UserProfileCreate, "username" | "account_id">>,
  now: number,
): UserProfile {
  const blank: UserProfile = {
    ...newIdentity(whose.id, "USR1B", now, body.uuid),
    ...emptyValues(plainParameters),
    ...whose,
    activated: true,
    allow_su: true,
    level: whose.account_admin ? LEVEL.primary : LEVEL.user,
    timezone: "local",
    access: { web: true, api: true },
    email_verified: false,
    sms: null,
    two_factor: NO_TWO_FACTOR,
    permissions: NEW_PROFILE,
    password: null,
  };
  return mergeChanges(blank, changesOf(blank, body));
}

export function updateUserProfile(profile: UserProfile, body: UserProfileUpdate, now: number): UserProfile {
  return revise(profile, changesOf(profile, body), now);
}

/** The changes of the record that the parameters mean. */
function changesOf(profile: UserProfile, body: Loosely<ProfileMembers>) {
  const { host: _host, password, two_factor, sms, email, email_verify: _e, sms_verify: _s, ...same } = body;
  return {
    ...same,
    // An unchanged password keeps its salt: an update without changes leaves the record as it was.
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

export function profileFrom(shownRecord: Shown, now: number): UserProfile {
  const whose = {
    id: textOrEmpty(shownRecord["id"]),
    account_id: textOrEmpty(shownRecord["account_id"]),
    login: textOrEmpty(shownRecord["login"]),
    account_admin: shownRecord["account_admin"] === true,
  };
  const { sms, two_factor: factor } = shownRecord;
  const blank = newUserProfile(whose, {}, now);
  return mergeChanges(blank, {
    ...takenFrom(shownRecord, blank, ["sms", "two_factor", "password"]),
    // There is a password, although it is unknown.
    ...(shownRecord["password_set"] === true && { password: digestPassword(randomUUID()) }),
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
  const { secret: _secret, private_id: _id, spent: _spent, ...shownFactor } = profile.two_factor;
  return toJsonObject(commonMembers(profile, events), {
    account_id: profile.account_id,
    login: profile.login,
    password_set: profile.password !== null,
    timezone: profile.timezone,
    account_admin: profile.account_admin,
    activated: profile.activated,
    ...takenFrom(profile, shownParameters),
    email_verified: profile.email_verified,
    sms: profile.sms && { ...profile.sms, number: maskNumber(profile.sms.number) },
    two_factor: shownFactor,
    idp: INTERNAL,
    permissions: permissionsView(profile.permissions),
    xmd: null,
    sessions: sessions.map(({ serial, id, created_ms, last_ms, addr }) => ({
      serial,
      id,
      created_ms,
      last_ms,
      addr,
    })),
  });
}
