/** Creates a token with a password of its user: with a known one, or with a temporary one. */
import { randomBytes } from "node:crypto";
import type { Client, Identity, CreatedAuthorization, ProfileRecord } from "../../api";
import {
  ApiError,
  type Finding,
  tokenCreationImpossible,
  movedOn,
  otpRequired,
  passwordLeft,
  TenancyError,
  tokensEnded,
  tokenNotVerified,
  type WayToCreateToken,
} from "../../problems";
import type { Connection, KeptSecret } from "../../service";
import { isObject, normalForm } from "../../lib/values";
import type { TemporaryPasswords } from "../family";
import { idOf, readUntil } from "../record";
import { unprovenAbsenceOfUser, otherReason, userWithLogin, whyUnread } from "./revoke";

interface TokenRequest {
  readonly connection: Connection;
  /** The login of the token's user. */
  readonly login: string;
  /** Id of the user that the plan saw under the login, where it saw one. */
  readonly userId: string | undefined;
  /** The declared `password_wo`. */
  readonly password: string | undefined;
  /** Known tokens of the user that are to stay valid. */
  readonly kept: readonly KeptSecret[];
  /** Undefined if nothing is noted between runs. */
  readonly temporaryPasswords: TemporaryPasswords | undefined;
}

export interface CreatedToken {
  readonly record: CreatedAuthorization;
  /**
   * The rest of the work, once the token is kept or revoked: until then it must not be lost. Called once; throws no TenancyError. Errors
   * among the findings mean that the token, or others of the user, are not good.
   * @param isKept true if the token is to be good
   */
  readonly cleanUp?: (isKept: boolean) => Promise<CleanUp>;
}

interface CleanUp {
  readonly findings: readonly Finding[];
  /** Serials of tokens that are proven to have ended. */
  readonly endedSerials: readonly string[];
}

/** Throws if nothing was created, or answerLost if that is not known. */
export type LoginWith = (request: TokenRequest) => Promise<CreatedToken>;

/** Creates a token as a user whose password is known: the declared one, or the provider's own. */
export const loginWithPassword: LoginWith = async ({ connection, login, password }) => {
  const { client, username, hasCodes } = connection;
  if (password === undefined && username === undefined)
    throw tokenCreationImpossible.error(
      {
        login,
        why: "the provider is configured with a token, and no password is given",
        instead: ["password", "another way", "the provider's password"],
      },
      { attribute: ["password_wo"] },
    );
  if (password === undefined && login !== username)
    throw tokenCreationImpossible.error(
      { login, why: "its password is not given", instead: ["password", "another way"] },
      { attribute: ["password_wo"] },
    );
  // The run's own session was opened with a one-time password, which a declared password lacks.
  const isOwn = password === undefined || (login === username && hasCodes);
  const identity: Identity = isOwn ? { kind: "own" } : { kind: "basic", username: login, password };
  return { record: await createAs(client, login, identity) };
};

/** A user with two factors cannot create a token with a password alone. */
export const SECOND_FACTOR = {
  why: "the user logs in with two factors, so a password is not enough",
  instead: ["another user"],
} as const;

/** @throws tokenCreationImpossible if the user logs in with two factors */
async function createAs(client: Client, login: string, identity: Identity): Promise<CreatedAuthorization> {
  try {
    return await client.authorizations.create(identity);
  } catch (error) {
    if (identity.kind !== "basic" || !otpRequired.is(error)) throw error;
    throw tokenCreationImpossible.error(
      { login, ...SECOND_FACTOR },
      { attribute: ["login_with"], cause: error },
    );
  }
}

// A temporary password, for a user without one: it is set, used, and removed again (design: Tokens).

/** Well within the API's limit of 64 characters. */
const PASSWORD_BYTES = 32;

/** Two tokens of one user are created one after the other: the second would find the first one's password. */
export const loginWithTemporaryPassword: LoginWith = async (request) => {
  const {
    connection: { made: creations },
    login,
  } = request;
  const endTurn = await creations.lock(`create token ${login}`);
  try {
    const keptTokens = [
      ...new Map(
        [...request.kept, ...creations.tokensOf(login)].map((token) => [token.access_token, token]),
      ).values(),
    ];
    const { record, cleanUp } = await createWithPassword({ ...request, kept: keptTokens });
    creations.noteToken(login, secretOf(record));
    return { record, cleanUp: (isKept) => cleanUp(isKept).finally(endTurn) };
  } catch (error) {
    endTurn();
    throw error;
  }
};

async function createWithPassword(request: TokenRequest): Promise<Required<CreatedToken>> {
  const { connection, login, kept: keptTokens, temporaryPasswords } = request;
  const { client, directory } = connection;
  const user = await userWithoutPassword(request);
  const id = idOf(user);
  const username = user.login ?? login;
  const good = await acceptedTokens(keptTokens, connection);
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  client.redactor.learnBasic(username, password);
  const removePassword = async () => {
    const removal = await takePasswordAway(connection, id).finally(() => directory.invalidate());
    if ("user" in removal) {
      temporaryPasswords?.forget(id);
      return [];
    }
    const { why } = removal;
    // An error under Terraform would taint the token, and its successor could not be created.
    return temporaryPasswords === undefined
      ? [passwordLeft.warning({ login, why, isNoted: false })]
      : [passwordLeft.at({ login, why, isNoted: true })];
  };
  await temporaryPasswords?.note(username, id);
  try {
    await client.profiles.update(id, { password });
    const record = await createAs(client, login, { kind: "basic", username, password });
    return {
      record,
      cleanUp: async (isKept) => {
        const warnings = await removePassword();
        const goodTokens = isKept ? [...good, secretOf(record)] : good;
        const { findings, endedSerials } = await findEndedTokens(connection, login, goodTokens);
        return { findings: [...warnings, ...findings], endedSerials };
      },
    };
  } catch (error) {
    // The failure itself matters more than one of the clean-up, which leaves drift of the profile.
    const warnings = await removePassword();
    throw error instanceof TenancyError ? error.telling(warnings) : error;
  }
}

function secretOf({ serial, access_token }: CreatedAuthorization): KeptSecret {
  return { serial: typeof serial === "string" ? serial : "unknown", access_token };
}

/**
 * The tokens that the service accepts. If the service refuses a token before the change, its end cannot be blamed on the password. A
 * service that cannot be asked proves nothing about any token, so no password is set.
 * @throws cancelled, and the ApiError of a question without an answer
 */
async function acceptedTokens(
  tokens: readonly KeptSecret[],
  { client }: Connection,
): Promise<readonly KeptSecret[]> {
  const verdicts = await Promise.all(
    tokens.map(({ access_token: token }) => client.callerAs({ kind: "bearer", token })),
  );
  return tokens.filter((_token, index) => verdicts[index]?.status === 200);
}

/** A service may end a user's tokens with the password that they were created with, so each is tried once more. A token that the run itself revokes is not judged. */
async function findEndedTokens(
  connection: Connection,
  login: string,
  tokens: readonly KeptSecret[],
): Promise<CleanUp> {
  const { made: creations } = connection;
  const client = connection.client.unstoppable();
  const refusedSerials: string[] = [];
  const endedSerials: string[] = [];
  const warnings: Finding[] = [];
  for (const { serial, access_token: token } of tokens)
    try {
      const ask = () => client.callerAs({ kind: "bearer", token });
      const isSettled = (check: { readonly status: number }) =>
        check.status === 200 || creations.isRevoked(serial);
      const { status } = await readUntil(undefined, ask, isSettled);
      if (creations.isRevoked(serial)) continue;
      if (status === 401) {
        refusedSerials.push(serial);
        // The refusal may have another reason than the end of the token (design: Tokens).
        const reason = await otherReason({ ...connection, client }, { login }, token).catch(whyUnread);
        if (reason === undefined) endedSerials.push(serial);
      }
      if (status === 403) warnings.push(tokenNotVerified.at({ serial, why: "it is denied access (403)" }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      warnings.push(tokenNotVerified.at({ serial, why: error.message }));
    }
  const errors = refusedSerials.length === 0 ? [] : [tokensEnded.at({ login, serials: refusedSerials })];
  return { findings: [...errors, ...warnings], endedSerials };
}

/**
 * One with a password that an earlier token creation has left counts as one without.
 * @throws tokenCreationImpossible if the user is not there, has a password, or a second factor; movedOn if the login is another user's by now
 */
async function userWithoutPassword(request: TokenRequest): Promise<ProfileRecord> {
  const { connection, login, userId, temporaryPasswords } = request;
  const refuse = (why: string, ...instead: readonly WayToCreateToken[]) =>
    tokenCreationImpossible.error({ login, why, instead }, { attribute: ["login_with"] });
  const profile = await userWithLogin(connection, login, userId);
  if (profile === undefined) throw refuse("there is no such user that the caller can see", "the user");
  // Another person may have created a user of that name since the plan.
  if (userId !== undefined && profile.id !== userId)
    throw movedOn.error({
      noun: "user",
      key: login,
      what: `the login belongs to another user, ${idOf(profile)}`,
    });
  if (profile.password_set !== false && temporaryPasswords?.has(idOf(profile)) !== true)
    throw refuse(
      "the user has a password, or the service does not say that it has none",
      "with the password",
    );
  const twoFactor = profile["two_factor"];
  const auth = isObject(twoFactor) ? twoFactor["auth"] : undefined;
  if (typeof auth === "string" && auth !== "none") throw refuse(SECOND_FACTOR.why, ...SECOND_FACTOR.instead);
  return profile;
}

/** The user as the service shows the user without the password; or why the password may still be there, as a clause. */
type PasswordRemoval = { readonly user: ProfileRecord } | { readonly why: string };

/** Removes the password even if the run was stopped in the meantime, and checks that it is removed. */
async function takePasswordAway(connection: Connection, id: string): Promise<PasswordRemoval> {
  const client = connection.client.unstoppable();
  try {
    const answer = await client.profiles.update(id, { password: null });
    const look = () => client.profiles.get(id);
    const user = await readUntil(answer, look, (record) => record.password_set !== true);
    return user.password_set === true ? { why: "the service still shows one" } : { user };
  } catch (error) {
    // It may never have been set, or only the answer was lost.
    const user = await client.profiles.find(id).catch(() => undefined);
    if (user?.password_set === false) return { user };
    return { why: error instanceof TenancyError ? error.message : "an unexpected failure" };
  }
}

/**
 * Takes away a password that an earlier run has left. A later user of the login has none of it.
 * @returns undefined if it was gone before
 */
export async function removeTemporaryPassword(
  connection: Connection,
  login: string,
  userId: string,
): Promise<PasswordRemoval | undefined> {
  try {
    const user = await connection.client.profiles.find(userId);
    if (user === undefined) {
      const why = await whyMayBeLive(connection, login, userId);
      return why === undefined ? undefined : { why };
    }
    if (user.password_set === false || normalForm(user.login ?? "") !== normalForm(login)) return undefined;
    return await takePasswordAway(connection, idOf(user)).finally(() => connection.directory.invalidate());
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return { why: error.message };
  }
}

/** A caller who cannot see a user, or a node that lags, says of a live one as well that there is none (design: Complete lists). */
async function whyMayBeLive(
  { directory }: Connection,
  login: string,
  userId: string,
): Promise<string | undefined> {
  directory.invalidate();
  const snapshot = await directory.snapshot();
  const isListed = snapshot.profile(userId) !== undefined;
  const reason = isListed ? "the list still has it" : unprovenAbsenceOfUser(login, snapshot)?.reason;
  return reason === undefined ? undefined : `the user is not found, and that proves nothing: ${reason}`;
}
