/** Describes the user profile: a person or a machine that may act in an account (spec 2.3, 4.4). */
import {
  allComputed,
  type Attributes,
  describe,
  email,
  flag,
  groups,
  integer,
  members,
  oneOf,
  phone,
  reference,
  secretPair,
  text,
  textSet,
  uuid,
} from "../../schema";
import { access, recordMembers, shownMembers, unsetOf, volatileMembers } from "../common";
import { ends } from "../ends";
import { rightsAndScopes, undeclaredRights } from "../permissions";

const TWO_FACTOR = "two_factor";

/** Attributes that resources and data sources of a user profile share. */
const userProfileMembers: Attributes = {
  username: text("User-assigned part of the login `username@account`.", { length: [1, 64], without: "@" })
    .required()
    .replaces()
    // No answer shows it by itself (spec 2.3).
    .readFrom("login", usernameOf),
  account_id: reference("account", "Id of the account that the profile belongs to.")
    .replaces()
    .defaultsTo("the caller's account"),
  uuid: uuid("UUID of the profile; chosen by the client so that creating is idempotent.").replaces(),
  email: email("E-mail address.", { length: [0, 128] })
    .orNull()
    .shownMasked(),
  email_notify: flag("Whether notices go to the e-mail address."),
  sms: phone("Number for SMS notices; shown masked by the service.", { length: [0, 24] })
    .orNull()
    .readFrom("sms.number"),
  sms_notify: flag("Whether notices go to the SMS number."),
  allow_su: flag("Whether an administrator may switch to this user."),
  level: integer(
    "Privilege level, a whole number: users who may act as others may act as users of a lower level.",
  ),
  app_default: oneOf("Default web application.", [
    "storage",
    "infrastructure",
    "account",
    "securedrive",
  ]).defaultsTo('"storage"'),
  ...access,
  ...ends(),
  ...members(
    { name: TWO_FACTOR, description: "Two-factor authentication." },
    {
      auth: oneOf("Kind of the second factor.", ["none", "yubikey", "google"]).defaultsTo('"none"'),
      security_email: email("Address for recovery.", { length: [0, 128] })
        .orNull()
        .readFrom("security_email.addr")
        .shownMasked(),
      security_email_verified: flag("Whether the address for recovery is verified.")
        .computed({ follows: ["security_email"] })
        .readFrom("security_email.verified")
        .personal(),
    },
  ),
  ...rightsAndScopes(),
  xmd_refs: textSet("Reference keys of extensible metadata.").personal(),
  xref: text("Arbitrary reference.", { length: [1, 256] })
    .orNull()
    .personal(),
  ...recordMembers,
  login: text("Full login, `username@account`.").computed(),
  activated: flag("Whether the profile is activated.").computed(),
  password_set: flag("Whether the profile has a password.").computed({ follows: ["password_wo_version"] }),
  account_admin: flag("Whether the profile has account-wide administrative control.").computed(),
  email_verified: flag("Whether the e-mail address is verified.").computed({ follows: ["email"] }),
  sms_valid: flag("Whether the SMS number is verified.")
    .computed({ follows: ["sms"] })
    .readFrom("sms.valid")
    .personal(),
};

const password = secretPair("password", "Password of the user.", { length: [1, 64] });

export const userProfile = describe("user_profile", "A person or a machine that may act in an account.", {
  ...userProfileMembers,
  ...password,
  ...secretPair(
    "otp",
    "One-time password from the device, to prove it when the second factor is set up.",
    { length: [1, Infinity] },
    TWO_FACTOR,
  ),
  ...secretPair(
    "secret",
    "Shared AES secret: hexadecimal, or base32 as authenticators show it.",
    { length: [1, Infinity], format: "sharedSecret" },
    TWO_FACTOR,
  ),
  ...secretPair(
    "private_id",
    "Private ID of a yubikey, hexadecimal.",
    { length: [1, Infinity], format: "hex" },
    TWO_FACTOR,
  ),
  host: text("Host name of the server that the request comes from, used for URLs in messages.").accompanying(
    "*",
  ),
  email_verify: flag("Whether the e-mail address has to be verified; sent when the address is.").accompanying(
    "email",
  ),
  sms_verify: flag("Whether the SMS number has to be verified; sent when the number is.").accompanying("sms"),
  ...undeclaredRights(),
  unset: unsetOf(userProfileMembers, ["password_wo"]),
});

/** Attributes of the data sources. */
export const shownProfile: Attributes = allComputed({
  ...userProfileMembers,
  ...shownMembers,
  timezone: text("Time zone, `local`."),
  ...members(
    { name: "two_factor", description: "Two-factor authentication." },
    {
      yubikey_id: text("Yubikey that is bound to the profile.").personal(),
      security_email_bounce: flag("Whether mail to the address for recovery bounced.")
        .readFrom("security_email.bounce")
        .personal(),
    },
  ),
  ...members(
    { name: "xmd", description: "Extensible metadata record." },
    {
      id: text("Id of the extensible metadata record.").internal(),
      ref: text("Reference key of the extensible metadata record.").internal(),
      mtime: integer("Time of its last modification, in milliseconds since 1970.").internal(),
      tags: textSet("Tags of the extensible metadata record.").internal(),
      self: flag("Whether the extensible metadata record is the profile's own.").internal(),
      data: text("Data of the extensible metadata record.").internal(),
    },
  ),
  ...volatileMembers,
  sessions: groups("Sessions of the user.", {
    serial: text("Serial number."),
    id: text("Id."),
    created_ms: integer("When it began, in milliseconds since 1970."),
    last_ms: integer("When it was used last, in milliseconds since 1970."),
    addr: text("Address that the last request came from."),
  }).internal(),
});

/** Part before the first `@`; the primary user profile's login has none and is the account's name. */
export function usernameOf(login: string): string {
  const at = login.indexOf("@");
  return at === -1 ? login : login.slice(0, at);
}

/** Part after the first `@`. */
export function accountOfLogin(login: string): string {
  const at = login.indexOf("@");
  return at === -1 ? login : login.slice(at + 1);
}
