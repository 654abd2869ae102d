/** A user profile as answers show it (spec 2.3). */
import { toJsonObject } from "../json";
import type { Permissions } from "../permissions";
import type { Session } from "../records/session";
import type { UserProfile } from "../records/user-profile";
import { commonMembers, type Events, INTERNAL, maskNumber } from "./common";

/** @returns JSON */
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

/** A list of nodes means nothing to one whose scope is the whole realm. */
export function permissionsView(permissions: Permissions) {
  const { realm, node, vss, user, account } = permissions;
  const { all_realm_scope, nodes, rights } = node;
  return { realm, node: { all_realm_scope, ...(!all_realm_scope && { nodes }), rights }, vss, user, account };
}

function sessionView({ serial, id, created_ms, last_ms, addr }: Session) {
  return { serial, id, created_ms, last_ms, addr };
}
