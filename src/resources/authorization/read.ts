/** Whether a token is still good. Nothing is forgotten on a guess (design: Tokens). */
import { ApiError, asWarning, TokenUnproven } from "../../errors";
import { isObject, type ObjectValue } from "../../values";
import type { ProfileRecord } from "../../api";
import type { Connection, Outcome } from "../family";
import { text } from "../record/members";

export async function readToken(connection: Connection, prior: ObjectValue): Promise<Outcome | undefined> {
  const token = text(prior["access_token"]);
  const serial = text(prior["serial"]) ?? "unknown";
  const unproven = (why: string): Outcome => ({
    state: prior,
    diagnostics: asWarning(new TokenUnproven(serial, why)),
  });
  if (token === undefined) return unproven("its secret is not known");
  try {
    const verdict = await connection.client.callerAs({ kind: "bearer", token });
    if (verdict.status === 200) return { state: prior, diagnostics: [] };
    if (verdict.status === 403) return unproven("the service knows it, and denies it access (403)");
    const excuse = await otherReason(connection, prior);
    return excuse === undefined ? undefined : unproven(`it is refused (401), and ${excuse}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return unproven(error.message);
  }
}

/** Why else a token may be refused; undefined where it must be the token itself. */
async function otherReason(connection: Connection, prior: ObjectValue): Promise<string | undefined> {
  const { client, directory } = connection;
  if ((await client.callerAs({ kind: "own" })).status !== 200) return "so is the run's own credential";
  const profile = await profileOf(connection, prior);
  if (profile === undefined) return "its user is not found";
  if (profile.activated !== true) return "its user is not activated";
  const access = profile.access;
  if (!isObject(access) || access["api"] !== true) return "its user has no API access";
  const accountId = text(profile.account_id);
  const account = accountId === undefined ? undefined : await directory.account(accountId);
  return account?.disabled === true ? "the account of its user is disabled" : undefined;
}

/** By its id, or by its login where the user was made anew. */
async function profileOf({ directory }: Connection, prior: ObjectValue): Promise<ProfileRecord | undefined> {
  const id = text(prior["user_id"]);
  const known = id === undefined ? undefined : await directory.profile(id);
  const login = text(prior["login"]);
  if (known !== undefined || login === undefined) return known;
  return (await directory.snapshot()).profileWithLogin(login);
}
