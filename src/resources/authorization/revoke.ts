/** Revoking a token, until it is proven that it ends: an answer alone is no proof (design: Tokens). */
import { ApiError, MethodUnsupported, NotRevoked } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection } from "../family";
import { text } from "../record/members";
import { readUntil } from "../record/read-again";
import { otherReason } from "./refusal";

/**
 * Where the service did not delete the token, its refusal counts only while its user is well: the token of a suspended user works again
 * once the user is active.
 * @param token state of a token, or an entry of its `previous` with `user_id` and `login`
 * @throws NotRevoked where it is still good, or may be; ApiError where the service did not do it
 */
export async function revoke(connection: Connection, token: ObjectValue): Promise<void> {
  const { client } = connection;
  const reference = text(token["id"]) ?? text(token["serial"]);
  const serial = text(token["serial"]) ?? reference ?? "unknown";
  const removal = reference === undefined ? "absent" : await removalOf(connection, reference);
  const secret = text(token["access_token"]);
  if (secret === undefined) {
    if (removal instanceof ApiError) throw refused(serial, removal);
    return;
  }
  const ask = () => client.callerAs({ kind: "bearer", token: secret });
  const verdict =
    removal instanceof ApiError
      ? await ask()
      : await readUntil(undefined, ask, ({ status }) => status === 401);
  if (verdict.status !== 401)
    throw removal instanceof ApiError ? refused(serial, removal) : new NotRevoked(serial);
  if (removal === "deleted") return;
  const reason = await otherReason(connection, token, secret).catch(whyUnread);
  if (reason === undefined) return;
  const isUnsupported = removal instanceof MethodUnsupported;
  const said = removal instanceof ApiError ? removal.message : "the service does not know its id";
  throw new NotRevoked(serial, { isUnsupported, unproven: { said, reason } });
}

/** What the service did, or why it did not; what may come right by trying again goes up. */
async function removalOf({ client }: Connection, reference: string) {
  try {
    return await client.authorizations.revoke(reference);
  } catch (error) {
    if (error instanceof ApiError && !error.transient) return error;
    throw error;
  }
}

function refused(serial: string, error: ApiError): Error {
  return error instanceof MethodUnsupported ? new NotRevoked(serial, { isUnsupported: true }) : error;
}

function whyUnread(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

/** Revokes what must not stay, though the run was stopped. A failure is an answer too. */
export async function revoked(connection: Connection, token: ObjectValue): Promise<boolean> {
  return revoke({ ...connection, client: connection.client.unstoppable() }, token).then(
    () => true,
    () => false,
  );
}
