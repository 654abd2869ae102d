/** Minting as a user whose password is known: the declared one, or the provider's own. */
import type { Client, Identity, MintedAuthorization } from "../../../api";
import { MintingImpossible, OtpRequired } from "../../../errors";
import type { MintWith } from "./minting";

export const mintWithPassword: MintWith = async ({ connection, login, password }) => {
  const { client, username } = connection;
  if (password === undefined && username === undefined)
    throw new MintingImpossible(login, "the provider is configured with a token, and no password is given", {
      attribute: ["password_wo"],
      advice:
        "Set `password_wo`, choose another `mint_with`, or configure the provider with a username and password.",
    });
  if (password === undefined && login !== username)
    throw new MintingImpossible(login, "its password is not given", {
      attribute: ["password_wo"],
      advice: "Set `password_wo`, or choose another `mint_with`.",
    });
  const identity: Identity =
    password === undefined ? { kind: "own" } : { kind: "basic", username: login, password };
  return { record: await mintAs(client, login, identity) };
};

/** A user with two factors cannot mint with a password alone. */
export async function mintAs(
  client: Client,
  login: string,
  identity: Identity,
): Promise<MintedAuthorization> {
  try {
    return await client.authorizations.mint(identity);
  } catch (error) {
    if (identity.kind !== "basic" || !(error instanceof OtpRequired)) throw error;
    throw new MintingImpossible(
      login,
      "the user logs in with two factors, so a password alone is not enough",
      {
        attribute: ["mint_with"],
        advice: 'Choose mint_with = "switch_user", or mint the token for a user without a second factor.',
        cause: error,
      },
    );
  }
}
