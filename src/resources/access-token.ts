/** Assembles the ephemeral secret of a token that exists already: opened from its seal, or taken from the embedded engine's state. */
import { type Finding, identityMissing, noSuchSource } from "../problems";
import { describe, text } from "../schema";
import { textOf } from "../lib/values";
import { identitiesIn, openSealed } from "./authorization";
import type { EphemeralResource, EphemeralSurroundings, Family } from "./family";

const accessToken: EphemeralResource = {
  description: describe(
    "access_token",
    "The secret of a token that exists already, only for this run; no plan and no state holds it. It never creates a token.\n\n" +
      "Exactly one of `sealed`, and `login` with `name`, has to be set. A sealed secret is opened with the age identity in the environment " +
      "variable `TENANCY_IDENTITY`: the text of an identity file.",
    {
      sealed: text("A sealed secret: `access_token_sealed` of a `tenancy_authorization`.").clientOnly(),
      login: text("Login that the token acts for. Only the embedded engine finds a token by its name.", {
        length: [1, 256],
        format: "login",
      }).clientOnly(),
      name: text("Name of the token.", { length: [1, 128] }).clientOnly(),
      access_token: text("The secret itself.").computed().secret(),
    },
  ),

  check({ sealed = null, login = null, name = null }, surroundings) {
    const refuse = (why: "both or none" | "no state") => [noSuchSource.at(why)];
    const isNamed = login !== null || name !== null;
    if (sealed !== null && isNamed) return refuse("both or none");
    if (sealed === null && (login === null || name === null)) return refuse("both or none");
    if (isNamed) return surroundings.storedToken === undefined ? refuse("no state") : [];
    return missingIdentity(surroundings);
  },

  async open(_connection, config, surroundings) {
    const { environment, storedToken } = surroundings;
    const [login, name] = [textOf(config["login"]), textOf(config["name"])];
    const stateEntry = login === undefined || name === undefined ? undefined : storedToken?.(login, name);
    if (login !== undefined && stateEntry === undefined) throw noSuchSource.error("not in the state");
    const sealed =
      stateEntry === undefined ? textOf(config["sealed"]) : (stateEntry.access_token_sealed ?? undefined);
    const secret = stateEntry?.access_token ?? (await openSealed(sealed ?? "", environment));
    return { sealed: null, login: null, name: null, ...config, access_token: secret };
  },
};

/** Known before the sealed text is, so a plan says so, too. */
function missingIdentity({ environment }: EphemeralSurroundings): readonly Finding[] {
  try {
    identitiesIn(environment);
    return [];
  } catch (error) {
    if (!identityMissing.is(error)) throw error;
    return error.toFindings();
  }
}

export const family: Family = { ephemeral: accessToken };
