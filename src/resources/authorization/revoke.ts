/** Revokes a token, and waits for proof that it has ended. The answer to the revocation alone is no proof (design: Tokens). */
import type { Client, ProfileRecord } from "../../api";
import { ApiError, methodUnsupported, notRevoked } from "../../problems";
import {
  ACCOUNTS_SEEN_WITH,
  type Connection,
  type UnprovenAbsence,
  whyAbsenceUnproven,
  PROFILES_SEEN_WITH,
  type Snapshot,
} from "../../service";
import { isObject, type ObjectValue, textOf } from "../../values";
import { readUntil } from "../record";
import { accountOf } from "../user-profile";

/**
 * Where the service did not delete the token, its refusal counts only while its user is well: the token of a suspended user works again
 * once the user is active.
 * @param token state of a token, or an entry of its `previous` with `user_id` and `login`
 * @throws notRevoked where it is still good, or may be; ApiError where the service did not do it
 */
export async function revoke(connection: Connection, token: ObjectValue): Promise<void> {
  const { client } = connection;
  const reference = textOf(token["id"]) ?? textOf(token["serial"]);
  const serial = textOf(token["serial"]) ?? reference ?? "unknown";
  const removal = reference === undefined ? "absent" : await removalOf(connection, reference);
  const secret = textOf(token["access_token"]);
  if (secret === undefined) {
    if (removal instanceof ApiError) throw refusalOf(serial, removal);
    return;
  }
  const ask = () => client.callerAs({ kind: "bearer", token: secret });
  const check =
    removal instanceof ApiError
      ? await ask()
      : await readUntil(undefined, ask, ({ status }) => status === 401);
  if (check.status !== 401)
    throw removal instanceof ApiError ? refusalOf(serial, removal) : notRevoked.error({ serial });
  if (removal === "deleted") return;
  const reason = await otherReason(connection, token, secret).catch(whyUnread);
  if (reason === undefined) return;
  const isUnsupported = methodUnsupported.is(removal);
  const said = removal instanceof ApiError ? removal.message : "the service does not know its id";
  throw notRevoked.error({ serial, isUnsupported, unproven: { said, reason } });
}

/** What the service did, or why it did not. An error that may pass is thrown. */
async function removalOf({ client }: Connection, reference: string) {
  try {
    return await client.authorizations.revoke(reference);
  } catch (error) {
    if (error instanceof ApiError && !error.transient) return error;
    throw error;
  }
}

function refusalOf(serial: string, error: ApiError): Error {
  return methodUnsupported.is(error) ? notRevoked.error({ serial, isUnsupported: true }) : error;
}

/** What kept a reason from being found, as the reason. */
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

// What a refusal of the token proves. It proves nothing if there may be another reason for it (design: Tokens).

/** Why the refusal of a token proves nothing, as a clause: "its user is not activated". */
type OtherReason = string;

/**
 * To be asked once the service has refused a token (401). Users and accounts are read afresh, and then the token is tried once more: somebody
 * may have activated its user between the refusal and the reading.
 * @param token its state; of a token that was replaced, with `user_id` and `login` of its successor
 * @returns undefined where the token itself must be the reason, or its user is gone
 */
export async function otherReason(
  connection: Connection,
  token: ObjectValue,
  secret: string,
): Promise<OtherReason | undefined> {
  const { client } = connection;
  if ((await client.callerAs({ kind: "own" })).status !== 200) return "so is the run's own credential";
  const user = await userOf(connection, token);
  if (user === undefined) return reasonToDoubtEnd(connection, token);
  if (user.activated !== true) return "its user is not activated";
  const access = user.access;
  if (!isObject(access) || access["api"] !== true) return "its user has no API access";
  if (await isAccountDisabled(client, user)) return "the account of its user is disabled";
  const { status } = await client.callerAs({ kind: "bearer", token: secret });
  return status === 401 ? undefined : `it was accepted or known a moment later (${status})`;
}

/** The user of a token: found by its id, or by its login if the user was made again. */
async function userOf({ client }: Connection, token: ObjectValue): Promise<ProfileRecord | undefined> {
  const id = textOf(token["user_id"]);
  const known = id === undefined ? undefined : await client.profiles.find(id);
  const login = textOf(token["login"]);
  return known !== undefined || login === undefined ? known : client.profiles.withLogin(login);
}

/** A token ends with its user. */
async function reasonToDoubtEnd({ directory }: Connection, token: ObjectValue): Promise<string | undefined> {
  const login = textOf(token["login"]);
  const reason =
    login === undefined ? "its login is not known" : doubtOfUser(login, await directory.snapshot())?.reason;
  return reason === undefined ? undefined : `its user is not found, which proves nothing: ${reason}`;
}

/** The reason why an unlisted user may still exist. */
export function doubtOfUser(login: string, snapshot: Snapshot): UnprovenAbsence | undefined {
  const account = accountOf(login);
  return snapshot.accountNamed(account) === undefined
    ? whyAbsenceUnproven(ACCOUNTS_SEEN_WITH, snapshot)
    : whyAbsenceUnproven(PROFILES_SEEN_WITH, snapshot, account);
}

async function isAccountDisabled(client: Client, user: ProfileRecord): Promise<boolean> {
  const id = textOf(user.account_id);
  return id !== undefined && (await client.accounts.find(id))?.disabled === true;
}
