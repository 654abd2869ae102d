/** Creates a token so that it is never lost: a note before, the token kept after, or revoked at once (design: Tokens). */
import type { CallerRecord, ProfileRecord } from "../../api";
import {
  answerLost,
  type Finding,
  tokenCreationImpossible,
  switchUserIgnored,
  TenancyError,
  tokenNotKept,
  tokenOfAnother,
} from "../../problems";
import { readState } from "../../schema";
import type { Connection, KeptSecret } from "../../service";
import { isObject, normalForm, type ObjectValue, textOf, type Value } from "../../lib/values";
import type { CreateRequest, MintIntent } from "../family";
import { accountOf } from "../user-profile";
import { authorization } from "./description";
import { revocableOf } from "./plan";
import { tryRevoke } from "./revoke";
import {
  type Minted,
  type MintRequest,
  type LoginWith,
  loginWithTemporaryPassword,
  loginWithPassword,
  userWithLogin,
} from "./with-password";

interface NewToken {
  readonly state: ObjectValue;
  readonly findings: readonly Finding[];
}

/** The request of a create or, with the state of the token that is replaced, of an update. */
type Minting = Pick<CreateRequest, "config" | "keeper"> & { readonly prior?: ObjectValue };

/**
 * @param stateWith the state to be kept, from what the record shows
 * @throws where no token was created, or it was revoked again; answerLost where nobody can tell
 */
export async function mintToken(
  connection: Connection,
  { config, keeper, prior }: Minting,
  stateWith: (shown: ObjectValue) => ObjectValue,
): Promise<NewToken> {
  const login = loginIn(connection, config);
  const loginWith = textOf(config["login_with"]) ?? "password";
  const way = waysOfMinting.get(loginWith);
  if (way === undefined)
    throw tokenCreationImpossible.error({
      login,
      why: `there is no way ${JSON.stringify(loginWith)}`,
      instead: ["another way"],
    });
  const intent = await keeper?.intend(login, textOf(config["name"]) ?? "", loginWith);
  const password = textOf(config["password_wo"]);
  const temporaryPasswords = keeper?.temporaryPasswords;
  const kept = [...secretsIn(prior), ...(keeper?.keptFor?.(login) ?? [])];
  const minted = await withIntent(intent, () =>
    way({ connection, login, userId: keeper?.userIdOf?.(login), password, kept, temporaryPasswords }),
  );
  const shown = { ...readState(authorization.attributes, { self: minted.record }, null), login };
  const state = stateWith(shown);
  try {
    await requireUser(connection, login, minted, intent);
    await keptOrRevoked(connection, login, state, intent);
  } catch (error) {
    const left = await cleanedUp(minted, keeper, false);
    throw error instanceof TenancyError ? error.telling(left) : error;
  }
  return { state, findings: await cleanedUp(minted, keeper, true) };
}

async function cleanedUp(
  { cleanUp }: Minted,
  keeper: CreateRequest["keeper"],
  isKept: boolean,
): Promise<readonly Finding[]> {
  const { findings, ended } = (await cleanUp?.(isKept)) ?? { findings: [], ended: [] };
  if (ended.length === 0) return findings;
  try {
    await keeper?.noteRefused?.(ended);
    return findings;
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    return [...findings, ...error.toFindings()];
  }
}

/** A token's own secret, and those of the tokens that it replaced. */
function secretsIn(state: ObjectValue | undefined): readonly KeptSecret[] {
  if (state === undefined) return [];
  return revocableOf(state).flatMap((token) => {
    const secret = textOf(token["access_token"]);
    return secret === undefined
      ? []
      : [{ serial: textOf(token["serial"]) ?? "unknown", access_token: secret }];
  });
}

/** The declared login, or the provider's own. */
function loginIn({ username }: Pick<Connection, "username">, config: ObjectValue): string {
  const login = textOf(config["login"]) ?? username;
  if (login !== undefined) return login;
  throw tokenCreationImpossible.error(
    { why: "no login is declared, and the provider is configured with a token", instead: ["login"] },
    { attribute: ["login"] },
  );
}

/** Closes the intent if certainly nothing was created. */
async function withIntent(intent: MintIntent | undefined, mint: () => Promise<Minted>): Promise<Minted> {
  try {
    return await mint();
  } catch (error) {
    if (!answerLost.is(error)) await intent?.drop();
    throw error;
  }
}

/** A run that creates for another user must not get a token of its own user. */
async function requireUser(
  connection: Connection,
  login: string,
  { record }: Minted,
  intent: MintIntent | undefined,
): Promise<void> {
  const userId = textOf(record.user_id);
  // Undefined where it cannot be read: the token is there already, and must be kept.
  const profile = await (userId === undefined
    ? undefined
    : connection.client.profiles.find(userId).catch(() => undefined));
  if (profile === undefined || normalForm(profile.login ?? "") === normalForm(login)) return;
  const isRevoked = await tryRevoke(connection, record);
  if (isRevoked) await intent?.drop();
  throw tokenOfAnother.error({ login, serial: textOf(record.serial) ?? "unknown", revoked: isRevoked });
}

async function keptOrRevoked(
  connection: Connection,
  login: string,
  state: ObjectValue,
  intent: MintIntent | undefined,
): Promise<void> {
  try {
    await intent?.keep(state);
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

// Switching to the user.

/** Creating tokens as an administrator who acts as the user; never before the service has shown that it does (design: Tokens). */
const loginWithSwitchUser: LoginWith = async (request) => {
  const { connection, login } = request;
  const identity = { kind: "switch_user", login } as const;
  const check = await connection.client.callerAs(identity);
  if (check.status !== 200)
    throw switchUserIgnored.error({ login, why: `the request was refused (${check.status})` });
  await requireSwitched(request, check.caller);
  return { record: await connection.client.authorizations.mint(identity) };
};

/** The answer must be about the user, not about the administrator; an answer that tells neither is no proof. */
async function requireSwitched(request: MintRequest, seen: CallerRecord): Promise<void> {
  const { connection, login } = request;
  const profile = await userWithLogin(request);
  const about = profile === undefined ? undefined : isAbout(seen, profile);
  if (about === true) return;
  if (about === false) throw switchUserIgnored.error({ login, why: "its answer is about somebody else" });
  const account = accountOf(login);
  if (nameOf(seen) === account && nameOf(await connection.client.caller()) !== account) return;
  throw switchUserIgnored.error({ login, why: "its answer does not say who the caller is" });
}

/** Whether an answer names this profile; undefined where it names none. */
export function isAbout(caller: CallerRecord, profile: ProfileRecord): boolean | undefined {
  const { user } = caller as { readonly user?: Value };
  const named = [caller.serial, ...(isObject(user) ? [user["id"], user["serial"]] : [])].filter(
    (reference) => typeof reference === "string",
  );
  if (named.length === 0) return undefined;
  return named.some((reference) => reference === profile.id || reference === profile.serial);
}

function nameOf({ account }: CallerRecord): string | undefined {
  return isObject(account) ? textOf(account["name"]) : undefined;
}

/** The ways of creating a token, by the value of `login_with`. */
const waysOfMinting: ReadonlyMap<string, LoginWith> = new Map([
  ["password", loginWithPassword],
  ["switch_user", loginWithSwitchUser],
  ["temporary_password", loginWithTemporaryPassword],
]);
