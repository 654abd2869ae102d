/** Parameters of the user profile calls (spec 4.4). */
import { boolean, email, type Given, hex, integer, object, oneOf, strings, text, uuid } from "./parameter";
import { permissionParameters } from "./permissions";

const settings = {
  xmd_refs: strings(),
  xref: text(1, 256).nullable(),
  host: text(),
  password: text(1, 64).nullable(),
  two_factor: object({
    auth: oneOf("none", "yubikey", "google"),
    otp: text(1),
    secret: hex(),
    private_id: hex(),
    // Null takes it away, here and for `sms`: both are nullable in the record (spec 2.3).
    security_email: email(128).nullable(),
  }),
  permissions: permissionParameters,
  access: object({ web: boolean(), api: boolean() }),
  allow_su: boolean(),
  email_notify: boolean(),
  email: email(128).nullable(),
  email_verify: boolean(),
  sms_notify: boolean(),
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

/** Not shown in the spec: create's parameters less those that tell who it is, and `activated`, which an account's create has. */
export const userProfileUpdate = { ...settings, activated: boolean() };

export const userProfileRemove = { account_id: text() };

export type UserProfileCreate = Given<typeof userProfileCreate>;
export type UserProfileUpdate = Given<typeof userProfileUpdate>;
