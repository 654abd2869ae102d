/** Describes the authorization: a persistent API token of a user (spec 2.5, 4.2, 5). */
import {
  type Attributes,
  describe,
  groups,
  integer,
  oneOf,
  secretPair,
  text,
  textMap,
  textSet,
} from "../../schema";

/** Members of the record that the service returns when a token is created (spec 2.5). */
export const authorizationMembers: Attributes = {
  id: text("Id of the token.").computed(),
  serial: text("Serial number of the token.").computed(),
  user_id: text("Id of the user profile that the token acts for.").computed(),
  app_id: text("Id of the application.").computed(),
  access_type: text("Type of access, `online`.").computed(),
  restrict: text("Restriction, `auth`.").computed(),
  lifetime: integer("Lifetime; null for a persistent token.").computed(),
  expires_in: integer("Seconds until it expires; null for a persistent token.").computed(),
  access_token: text("The secret itself; null where it is sealed.").computed().secret(),
  access_token_sealed: text(
    "The secret as an ASCII-armored age message for the readers in `seal_to`; null where it is not sealed. Not sensitive: only a reader can open it.",
  ).computed(),
  access_token_digest: text("Digest of the secret.").computed(),
  created_at: text(
    "When it was created, ISO 8601 with offset; by the clock of the apply where the service shows no time within a day of it.",
  ).computed(),
};

const password = secretPair("password", "Password of the login, to create tokens.", {
  length: [1, Infinity],
});

export const authorization = describe(
  "authorization",
  "A persistent API token. The service shows its secret once, when it is created.\n\n" +
    "A change of `keepers` rotates the token in place, with overlap: the old one moves to `previous` and is revoked at the first " +
    "apply after `retain_previous_for`. With `rotate_after` a token is also rotated by its age. With `seal_to` the secret is only in `access_token_sealed`, " +
    "and only a reader opens it.",
  {
    login: text("Login that the token acts for.", { length: [1, 256], format: "login" })
      .foundOut()
      .replaces()
      .defaultsTo("the provider's own user"),
    name: text("Name of the token, its identity within the login.", { length: [1, 128] })
      .required()
      .clientOnly()
      .replaces(),
    keepers: textMap("Arbitrary values; when one of them changes, the token is rotated.")
      .clientOnly()
      .orSensitive(),
    login_with: oneOf(
      "How the token is created: `password` (with `password_wo`; without login and password, with the provider's own), " +
        "or `temporary_password` (machine users that have no password: one is set, used and taken away again).",
      ["password", "temporary_password"],
    ).clientOnly("password"),
    ...password,
    seal_to: textSet(
      "Readers of the secret, as X25519 recipients of age (`age1…`), known while planning. A change rotates the token.",
    ).clientOnly(),
    rotate_after: text(
      "The age at which the token is rotated, such as `90d`, counted from `created_at`: the first apply on a later day (UTC) rotates it. At least " +
        "one day, and longer than `retain_previous_for`. It must be known while planning.",
      { format: "duration" },
    ).clientOnly(),
    retain_previous_for: text("How long a rotated token stays valid; `0s` revokes it at once.", {
      format: "duration",
    }).clientOnly("7d"),
    retain_previous: integer("How many rotated tokens stay valid at most.", { min: 0 }).clientOnly(1),
    ...authorizationMembers,
    previous: groups("Rotated tokens that are not revoked yet, newest first.", {
      serial: text("Serial number.").computed(),
      access_token: text("The secret itself; null where it is sealed.").computed().secret(),
      access_token_sealed: text("The sealed secret; null where it is not sealed.").computed(),
      created_at: text("When it was created.").computed(),
      retired_at: text("When it was replaced.").computed(),
    }).computed(),
  },
);
