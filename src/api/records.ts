/** Defines the service's records. Members that the service leaves out are absent; members that it adds are kept. */
import type { ObjectValue, Value } from "../lib/values";

/** Members that identify a record. They are checked to be text, null or absent, so that no further check is needed. */
export const IDENTITY_MEMBERS = [
  "id",
  "uuid",
  "serial",
  "name",
  "login",
  "account_id",
  "admin_profile_id",
  "usage_id",
  "user_id",
  "access_token",
] as const;

type TextMember = string | null;

/** Spec 2.1. */
export interface CommonRecord extends ObjectValue {
  readonly id?: TextMember;
  readonly uuid?: TextMember;
  readonly serial?: TextMember;
  readonly seq?: Value;
}

/** Spec 2.2. */
export interface AccountRecord extends CommonRecord {
  readonly name?: TextMember;
  readonly admin_profile_id?: TextMember;
  readonly usage_id?: TextMember;
  readonly disabled?: Value;
}

/** Spec 2.2, last paragraph: counters. */
export type UsageRecord = ObjectValue;

/** Spec 2.3. */
export interface ProfileRecord extends CommonRecord {
  readonly account_id?: TextMember;
  readonly login?: TextMember;
  readonly activated?: Value;
  readonly password_set?: Value;
  readonly access?: Value;
  readonly permissions?: Value;
}

/** Spec 2.5. */
export interface AuthorizationRecord extends ObjectValue {
  readonly id?: TextMember;
  readonly serial?: TextMember;
  readonly user_id?: TextMember;
  readonly access_token?: TextMember;
  readonly access_token_digest?: Value;
  readonly created_at?: Value;
}

/** A new authorization with its secret, which the service shows only once. */
export type CreatedAuthorization = AuthorizationRecord & { readonly access_token: string };

/** Answer of `GET /status` (spec 4.2). */
export interface StatusRecord extends ObjectValue {
  readonly status?: Value;
  readonly message?: Value;
}

/** Answer of `GET /status/authorization` (spec 4.2): `type` and `serial`, or `account` and `created_at`. */
export interface CallerRecord extends ObjectValue {
  readonly serial?: TextMember;
  readonly account?: Value;
  readonly permissions?: Value;
}

/** Answer of `POST /oauth2/token` (spec 4.2). */
export interface SessionRecord extends ObjectValue {
  readonly access_token: string;
  readonly expires_in?: Value;
  readonly user?: Value;
}
