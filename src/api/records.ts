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

type Text = string | null;

/** Spec 2.1. */
export interface CommonRecord extends ObjectValue {
  readonly id?: Text;
  readonly uuid?: Text;
  readonly serial?: Text;
  readonly seq?: Value;
}

/** Spec 2.2. */
export interface AccountRecord extends CommonRecord {
  readonly name?: Text;
  readonly admin_profile_id?: Text;
  readonly usage_id?: Text;
  readonly disabled?: Value;
}

/** Spec 2.2, last paragraph: counters. */
export type UsageRecord = ObjectValue;

/** Spec 2.3. */
export interface ProfileRecord extends CommonRecord {
  readonly account_id?: Text;
  readonly login?: Text;
  readonly activated?: Value;
  readonly password_set?: Value;
  readonly access?: Value;
  readonly permissions?: Value;
}

/** Spec 2.5. */
export interface AuthorizationRecord extends ObjectValue {
  readonly id?: Text;
  readonly serial?: Text;
  readonly user_id?: Text;
  readonly access_token?: Text;
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
  readonly serial?: Text;
  readonly account?: Value;
  readonly permissions?: Value;
}

/** Answer of `POST /oauth2/token` (spec 4.2). */
export interface SessionRecord extends ObjectValue {
  readonly access_token: string;
  readonly expires_in?: Value;
  readonly user?: Value;
}
