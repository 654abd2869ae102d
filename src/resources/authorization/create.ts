/** Creates a token so that it is never lost: a note before, the token kept after, or revoked at once (design: Tokens). */
import {
  answerLost,
  type Finding,
  TenancyError,
  tokenCreationImpossible,
  tokenNotKept,
  tokenOfAnother,
} from "../../problems";
import { DAY_MS, readState } from "../../schema";
import type { Connection, KeptSecret } from "../../service";
import { normalForm, type ObjectValue, textOf } from "../../lib/values";
import type { CreateRequest, TokenIntent } from "../family";
import { authorization } from "./description";
import { revocableOf } from "./plan";
import { tryRevoke } from "./revoke";
import { readersOf, seal } from "./seal";
import { type CreatedToken, loginWithPassword, loginWithTemporaryPassword } from "./with-password";

/**
 * @param prior state of the token that the new one replaces
 * @param stateWith the state to be kept, from the values of the record
 * @throws if no token was created, or if it was revoked again; answerLost if the result is unknown
 */
export async function createToken(
  connection: Connection,
  { config, keeper, prior }: Pick<CreateRequest, "config" | "keeper"> & { readonly prior?: ObjectValue },
  stateWith: (record: ObjectValue) => ObjectValue,
): Promise<{ readonly state: ObjectValue; readonly findings: readonly Finding[] }> {
  const login = textOf(config["login"]) ?? connection.username;
  if (login === undefined)
    throw tokenCreationImpossible.error(
      { why: "no login is declared, and the provider is configured with a token", instead: ["login"] },
      { attribute: ["login"] },
    );
  const loginWith = textOf(config["login_with"]) ?? "password";
  const create = loginWith === "password" ? loginWithPassword : loginWithTemporaryPassword;

  // If the run is killed from here on, the note says that a token may exist.
  const intent = await keeper?.intend(login, textOf(config["name"]) ?? "", loginWith);
  const token = await create({
    connection,
    login,
    userId: keeper?.userIdOf?.(login),
    password: textOf(config["password_wo"]),
    kept: [...(prior === undefined ? [] : secretsOfTokens(prior)), ...(keeper?.keptFor?.(login) ?? [])],
    temporaryPasswords: keeper?.temporaryPasswords,
  }).catch(async (error: unknown) => {
    // A lost answer may hide a token, so the note stays.
    if (!answerLost.is(error)) await intent?.drop();
    throw error;
  });

  // The plan of a sealed token says that it has no plain secret, so the secret comes from the answer.
  const { access_token: secret } = token.record;
  const shownState = readState(authorization.attributes, { self: token.record }, null);
  const record = { ...shownState, login, created_at: createdAt(shownState, connection.now()) };
  const plainState = { ...stateWith(record), access_token: secret };
  let state: ObjectValue;
  try {
    await requireUser(connection, login, token, intent);
    state = await sealAndKeep(connection, login, plainState, { config, intent });
  } catch (error) {
    const findings = await cleanUp(token, keeper, false);
    throw error instanceof TenancyError ? error.telling(findings) : error;
  }
  return { state, findings: await cleanUp(token, keeper, true) };
}

/** A token is as old as the run knows it, unless the service's time agrees: a missing or wrong time must not switch its rotation off. */
function createdAt({ created_at: shownTime = null }: ObjectValue, now: Date): string {
  const text = textOf(shownTime) ?? "";
  return Math.abs(Date.parse(text) - now.getTime()) <= DAY_MS ? text : now.toISOString();
}

async function cleanUp(
  token: CreatedToken,
  keeper: CreateRequest["keeper"],
  isKept: boolean,
): Promise<readonly Finding[]> {
  const { findings, endedSerials } = (await token.cleanUp?.(isKept)) ?? { findings: [], endedSerials: [] };
  if (endedSerials.length === 0) return findings;
  try {
    await keeper?.noteRefused?.(endedSerials);
    return findings;
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return [...findings, ...error.toFindings()];
  }
}

/** The secrets of a token and of the tokens that it replaced. */
function secretsOfTokens(state: ObjectValue): readonly KeptSecret[] {
  return revocableOf(state).flatMap((token) => {
    const secret = textOf(token["access_token"]);
    return secret === undefined
      ? []
      : [{ serial: textOf(token["serial"]) ?? "unknown", access_token: secret }];
  });
}

/** A run that creates a token for another user must not get one of its own user. */
async function requireUser(
  connection: Connection,
  login: string,
  { record }: CreatedToken,
  intent: TokenIntent | undefined,
): Promise<void> {
  const userId = textOf(record.user_id);
  // If the user cannot be read, the token is there already, and must be kept.
  const profile = await (userId === undefined
    ? undefined
    : connection.client.profiles.find(userId).catch(() => undefined));
  if (profile === undefined || normalForm(profile.login ?? "") === normalForm(login)) return;
  const isRevoked = await tryRevoke(connection, record);
  if (isRevoked) await intent?.drop();
  throw tokenOfAnother.error({ login, serial: textOf(record.serial) ?? "unknown", revoked: isRevoked });
}

/** @returns the state as it was kept. A token that cannot be sealed or kept is revoked, which takes its secret. */
async function sealAndKeep(
  connection: Connection,
  login: string,
  state: ObjectValue,
  { config, intent }: { readonly config: ObjectValue; readonly intent: TokenIntent | undefined },
): Promise<ObjectValue> {
  try {
    const sealedState = await seal(state, readersOf(config));
    await intent?.keep(sealedState);
    return sealedState;
  } catch (error) {
    const isRevoked = await tryRevoke(connection, state);
    if (isRevoked) await intent?.drop().catch(() => undefined);
    const why = error instanceof Error ? error.message : "an unexpected failure";
    throw tokenNotKept.error(
      { login, serial: textOf(state["serial"]) ?? "unknown", revoked: isRevoked, why },
      { cause: error },
    );
  }
}
