/** Revokes a token, and waits for proof that it has ended. The answer to the revocation alone is no proof (design: Tokens). */
import type { Client, ProfileRecord } from "../../api";
import {
  ApiError,
  type Finding,
  methodUnsupported,
  notRevoked,
  sealedMovedOn,
  sealedNotProven,
} from "../../problems";
import {
  ACCOUNTS_SEEN_WITH,
  type Connection,
  type UnprovenAbsence,
  whyAbsenceUnproven,
  PROFILES_SEEN_WITH,
  type Snapshot,
} from "../../service";
import { DAY_MS } from "../../schema";
import { isObject, normalForm, type ObjectValue, textOf } from "../../lib/values";
import { readUntil } from "../record";
import { accountOfLogin } from "../user-profile";

/**
 * The token itself is presented first: if the service refuses it and its user is well, there is no token to delete. Otherwise it is deleted
 * by its serial number, never by its id, which a restored service may have given to another token. If the service did not delete it, its
 * refusal counts only while its user is well: the token of a suspended user works again once the user is active.
 *
 * Without an identity a sealed token cannot be presented. So the record at its serial number has to be the one that was created, and its end is not proven.
 * @param token state of a token, or an entry of its `previous` with `user_id`, `login` and `name`
 * @returns warnings: the end of a sealed token is not proven
 * @throws notRevoked if it is still valid, or may be; sealedMovedOn; ApiError if the service did not revoke it
 */
export async function revoke(connection: Connection, token: ObjectValue): Promise<readonly Finding[]> {
  const { client } = connection;
  const knownSerial = textOf(token["serial"]);
  const serial = knownSerial ?? "unknown";
  // Another token of the user may be created at this moment, and looks for tokens that ended with the user's password.
  if (knownSerial !== undefined) connection.made.noteRevoked(knownSerial);
  const remove = () => (knownSerial === undefined ? "absent" : revokeSerial(connection, knownSerial));
  const isConfigured = connection.tokensRevocable === false;
  const unrevoked = (removal: string | ApiError) =>
    removal instanceof ApiError
      ? removal
      : notRevoked.error({ serial, isUnsupported: removal === "unsupported", isConfigured });
  const secret = textOf(token["access_token"]);
  if (secret === undefined) {
    const isSealed = textOf(token["access_token_sealed"]) !== undefined;
    if (isSealed && !(await isRecordOf(connection, token, serial)))
      return [sealedNotProven.at({ serial, isUnknown: true })];
    const removal = await remove();
    if (removal instanceof ApiError || removal === "unsupported") throw unrevoked(removal);
    return isSealed ? [sealedNotProven.at({ serial })] : [];
  }
  const ask = () => client.callerAs({ kind: "bearer", token: secret });
  const reasonOfRefusal = () => otherReason(connection, token, secret).catch(whyUnread);
  // A service that cannot say so is asked to delete the token all the same.
  const isRefused = await ask().then(({ status }) => status === 401, unlessStopped);
  if (isRefused && (await reasonOfRefusal()) === undefined) return [];
  const removal = await remove();
  const check =
    removal === "deleted" || removal === "absent"
      ? await readUntil(undefined, ask, ({ status }) => status === 401)
      : await ask();
  if (check.status !== 401) throw unrevoked(removal);
  if (removal === "deleted") return [];
  const reason = await reasonOfRefusal();
  if (reason === undefined) return [];
  const answer =
    removal instanceof ApiError ? removal.message : "the service does not know its serial number";
  const isUnsupported = removal === "unsupported";
  throw notRevoked.error({ serial, isUnsupported, unproven: { said: answer, reason } });
}

/**
 * True if the service has the record of a token; false if it knows none of that serial number.
 * @throws sealedMovedOn if the record is another one: a service that was restored may have given the serial number again
 */
async function isRecordOf({ client }: Connection, token: ObjectValue, serial: string): Promise<boolean> {
  const record = await client.authorizations.find(serial);
  if (record === undefined) return false;
  const userId = textOf(record.user_id);
  const user = userId === undefined ? undefined : await client.profiles.find(userId);
  const login = textOf(token["login"]);
  const isSameUser =
    user === undefined
      ? userId !== undefined && userId === textOf(token["user_id"])
      : login !== undefined && normalForm(user.login ?? "") === normalForm(login);
  // A service that knows no names or times of tokens shows none. Where its clock is wrong, the token has the time of the apply; a serial number
  // that was given again belongs to a later token.
  const shownTime = textOf(record.created_at) ?? "";
  const knownTime = textOf(token["created_at"]) ?? "";
  const isSameTime =
    shownTime === knownTime ||
    Number.isNaN(Date.parse(shownTime)) ||
    Date.parse(shownTime) < Date.parse(knownTime) - DAY_MS;
  const shownName = textOf(record["name"]);
  const differs = [
    ...(isSameUser ? [] : ["login"]),
    ...(shownName === undefined || shownName === textOf(token["name"]) ? [] : ["name"]),
    ...(isSameTime ? [] : ["created_at"]),
  ];
  if (differs.length > 0) throw sealedMovedOn.error({ serial, differs });
  return true;
}

/** @returns the result, or why the service did not do it. An error that may pass is thrown. */
async function revokeSerial({ client, tokensRevocable }: Connection, serial: string) {
  if (tokensRevocable === false) return "unsupported";
  try {
    return await client.authorizations.revoke(serial);
  } catch (error) {
    if (methodUnsupported.is(error)) return "unsupported";
    if (error instanceof ApiError && !error.transient) return error;
    throw error;
  }
}

/** No answer is no refusal. */
function unlessStopped(error: unknown): false {
  if (error instanceof ApiError) return false;
  throw error;
}

/** The failure to find a reason is the reason. */
export function whyUnread(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

/** Revokes a token even if the run was stopped. A failure is a result, too. */
export async function tryRevoke(connection: Connection, token: ObjectValue): Promise<boolean> {
  return revoke({ ...connection, client: connection.client.unstoppable() }, token).then(
    () => true,
    () => false,
  );
}

// A refusal of the token proves nothing if there may be another reason for it (design: Tokens).

/**
 * The reason why the refusal of a token proves nothing, as a clause: "its user is not activated". To be called once the service has refused
 * a token (401). Users and accounts are read again, and then the token is tried once more: its user may have been activated between the
 * refusal and the reading.
 * @param token its state; for a replaced token, with `user_id` and `login` of its successor
 * @returns undefined if the token itself must be the reason, or if its user is deleted
 */
export async function otherReason(
  connection: Connection,
  token: ObjectValue,
  secret: string,
): Promise<string | undefined> {
  const { client } = connection;
  if ((await client.callerAs({ kind: "own" })).status !== 200) return "so is the run's own credential";
  const user = await userOfToken(connection, token);
  if (user === undefined) return whyUserMayBeLive(connection, token);
  if (user.activated !== true) return "its user is not activated";
  const access = user.access;
  if (!isObject(access) || access["api"] !== true) return "its user has no API access";
  if (await isAccountDisabled(client, user)) return "the account of its user is disabled";
  const { status } = await client.callerAs({ kind: "bearer", token: secret });
  return status === 401 ? undefined : `it was accepted or known a moment later (${status})`;
}

/** The user of a token, by login where another user has the id by now: after a restore or a migration, ids are others. */
async function userOfToken(connection: Connection, token: ObjectValue): Promise<ProfileRecord | undefined> {
  const { client } = connection;
  const id = textOf(token["user_id"]);
  const login = textOf(token["login"]);
  const user = login === undefined ? undefined : await userWithLogin(connection, login, id);
  // A renamed user still has the id.
  return user ?? (id === undefined ? undefined : client.profiles.find(id));
}

/**
 * The user that the service shows under a login now. The specification has no look-up by login, so the user is read by id. If that record has
 * another login by now, the lists are read again.
 * @param knownId id under which the user was seen. @default as the run created the user, or as the lists show it
 */
export async function userWithLogin(
  { client, directory, made }: Connection,
  login: string,
  knownId?: string,
): Promise<ProfileRecord | undefined> {
  const idIn = (lists: Snapshot) => textOf(lists.profileWithLogin(login)?.id);
  const read = async (id: string | undefined) => {
    const user = id === undefined ? undefined : await client.profiles.find(id);
    return user !== undefined && normalForm(user.login ?? "") === normalForm(login) ? user : undefined;
  };
  const id = knownId ?? made.userId(login) ?? idIn(await directory.beforeCreates());
  return (await read(id)) ?? read(idIn(await directory.readWith(client)));
}

/** A token ends with its user. */
async function whyUserMayBeLive({ directory }: Connection, token: ObjectValue): Promise<string | undefined> {
  const login = textOf(token["login"]);
  const reason =
    login === undefined
      ? "its login is not known"
      : unprovenAbsenceOfUser(login, await directory.snapshot())?.reason;
  return reason === undefined ? undefined : `its user is not found, which proves nothing: ${reason}`;
}

/** The reason why an unlisted user may still exist. */
export function unprovenAbsenceOfUser(login: string, snapshot: Snapshot): UnprovenAbsence | undefined {
  const account = accountOfLogin(login);
  return snapshot.accountNamed(account) === undefined
    ? whyAbsenceUnproven(ACCOUNTS_SEEN_WITH, snapshot)
    : whyAbsenceUnproven(PROFILES_SEEN_WITH, snapshot, account);
}

async function isAccountDisabled(client: Client, user: ProfileRecord): Promise<boolean> {
  const id = textOf(user.account_id);
  return id !== undefined && (await client.accounts.find(id))?.disabled === true;
}
