/** Minting for a machine user that has no password: one is set, used, and taken away again (design: Tokens). */
import { randomBytes } from "node:crypto";
import type { ProfileRecord } from "../../../api";
import { asWarning, MintingImpossible, PasswordLeft, TenancyError, type Diagnostic } from "../../../errors";
import { isObject } from "../../../values";
import type { Connection } from "../../family";
import { readUntil } from "../../record/read-again";
import { idOf } from "../../record/seek";
import { mintAs } from "./password";
import type { Minted, MintRequest, MintWith } from "./minting";

/** Well within the API's limit of 64 characters. */
const PASSWORD_BYTES = 32;

export const mintWithEphemeralPassword: MintWith = async (request) => {
  const { connection, login } = request;
  const endTurn = await turn(`${connection.client.origin} ${login}`);
  try {
    const { record, cleanUp } = await mint(request);
    return { record, cleanUp: () => cleanUp().finally(endTurn) };
  } catch (error) {
    endTurn();
    throw error;
  }
};

async function mint({ connection, login }: MintRequest): Promise<Required<Minted>> {
  const { client, directory } = connection;
  const user = await userWithoutPassword(connection, login);
  const id = idOf(user);
  const username = user.login ?? login;
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  client.redactor.learnBasic(username, password);
  const cleanUp = () => takenAway(connection, login, id).finally(() => directory.invalidate());
  try {
    await client.profiles.update(id, { password });
    const record = await mintAs(client, login, { kind: "basic", username, password });
    return { record, cleanUp };
  } catch (error) {
    // The failure itself matters more than that of cleaning up; what is left is drift of the profile.
    await cleanUp();
    throw error;
  }
}

/** @throws MintingImpossible where the user is not there, has a password, or a second factor */
async function userWithoutPassword({ client }: Connection, login: string): Promise<ProfileRecord> {
  const refuse = (why: string, advice: string) =>
    new MintingImpossible(login, why, { attribute: ["mint_with"], advice });
  const profile = await client.profiles.withLogin(login);
  if (profile === undefined)
    throw refuse(
      "there is no such user that the caller can see",
      "Check `login`, and declare its user first.",
    );
  if (profile.password_set !== false)
    throw refuse(
      "the user has a password, or the service does not say that it has none",
      'Declare `unset = ["password_wo"]` on its user profile, or mint with "password".',
    );
  const twoFactor = profile["two_factor"];
  const auth = isObject(twoFactor) ? twoFactor["auth"] : undefined;
  if (typeof auth === "string" && auth !== "none")
    throw refuse("the user logs in with two factors", 'Choose mint_with = "switch_user".');
  return profile;
}

/** Takes the password away, though the run was stopped meanwhile, and looks that it is gone. */
async function takenAway(connection: Connection, login: string, id: string): Promise<readonly Diagnostic[]> {
  const client = connection.client.unstoppable();
  try {
    const answer = await client.profiles.update(id, { password: null });
    const look = async () => (await client.profiles.get(id)).record;
    const seen = await readUntil(answer.record, look, (record) => record.password_set !== true);
    if (seen.password_set !== true) return [];
    return asWarning(new PasswordLeft(login, "the service still shows one"));
  } catch (error) {
    const why = error instanceof TenancyError ? error.message : "an unexpected failure";
    return asWarning(new PasswordLeft(login, why));
  }
}

const lines = new Map<string, Promise<void>>();

/**
 * Two tokens of one user are minted one after the other: the second would find the first one's password.
 * @returns what ends the turn
 */
async function turn(key: string): Promise<() => void> {
  const before = lines.get(key);
  let end: () => void = () => undefined;
  const mine = new Promise<void>((resolve) => (end = resolve));
  lines.set(key, mine);
  await before;
  return () => {
    if (lines.get(key) === mine) lines.delete(key);
    end();
  };
}
