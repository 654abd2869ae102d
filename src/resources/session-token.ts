/** Assembles the ephemeral token of one run, which no state holds (`POST /oauth2/token`, spec 4.2, 5). */
import { tokenCreationImpossible } from "../problems";
import { allComputed, describe, group, integer, readState, text } from "../schema";
import { textOf } from "../lib/values";
import type { EphemeralResource, Family } from "./family";

const party = (noun: string) => ({
  id: text(`Id of the ${noun}.`),
  serial: text(`Serial number of the ${noun}.`),
  name: text(`Name of the ${noun}.`),
});

const sessionToken: EphemeralResource = {
  description: describe(
    "session_token",
    "A time-limited token of a user, made for one run and stored nowhere. Without `username` and `password`, the provider's own.",
    {
      // Set by the user alone; the answer's members have no influence.
      username: text("User to log in as.", { length: [1, 256], format: "login" }).clientOnly(),
      password: text("Password of the user.").secret().clientOnly(),
      otp: text("One-time password, where the user logs in with two factors; works once.")
        .secret()
        .clientOnly(),
      ...allComputed({
        access_token: text("The secret itself.").secret(),
        token_type: text("`Bearer`."),
        expires_in: integer("Seconds until it expires."),
        user: group("The session, and its user.", {
          id: text("Id of the session."),
          account: group("The account.", party("account")),
          user: group("The user profile.", party("user profile")),
        }),
      }),
    },
  ),

  async open({ client, username: own }, config) {
    const username = textOf(config["username"]);
    const password = textOf(config["password"]);
    const otp = textOf(config["otp"]);
    if ((username === undefined) !== (password === undefined))
      throw tokenCreationImpossible.error(
        {
          login: username ?? own,
          why: "username and password belong together",
          instead: ["username and password"],
        },
        { attribute: [username === undefined ? "username" : "password"] },
      );
    const record =
      username === undefined || password === undefined
        ? await client.logInAsSelf(otp)
        : await client.logIn({ username, password, otp });
    return readState(sessionToken.description.attributes, { self: record }, config);
  },
};

export const family: Family = { ephemeral: sessionToken };
