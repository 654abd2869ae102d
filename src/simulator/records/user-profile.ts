/** A user profile as it is stored (spec 2.3). */
import { merge } from "../merge";
import type { UserProfileCreate, UserProfileUpdate } from "../parameters/user-profile";
import { NEW_PROFILE, type Permissions } from "../permissions";
import { type Identity, newIdentity, newVerificationToken, revise } from "./identity";
import { digestPassword, isPassword, type PasswordDigest } from "./password";
import { NO_TWO_FACTOR, type TwoFactor, updateTwoFactor } from "./two-factor";

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
interface Whose {
  readonly id: string;
  readonly account_id: string;
  readonly login: string;
  readonly account_admin: boolean;
}

/** Levels rank the users of a service: one may switch only to a lower one. */
const LEVEL = { primary: 10, user: 0 };

export function newUserProfile(
  whose: Whose,
  given: UserProfileUpdate & Pick<UserProfileCreate, "uuid">,
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
function changesOf(profile: UserProfile, given: UserProfileUpdate) {
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
