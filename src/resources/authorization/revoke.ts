/** Revoking a token, until the service refuses it: only that counts (design: Tokens). */
import { ApiError, MethodUnsupported, NotRevoked, type TenancyError } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection } from "../family";
import { text } from "../record/members";
import { readUntil } from "../record/read-again";

/**
 * @param token state of a token, or an entry of its `previous`
 * @throws NotRevoked where it is still good; ApiError where the service did not do it
 */
export async function revoke({ client }: Connection, token: ObjectValue): Promise<void> {
  const reference = text(token["id"]) ?? text(token["serial"]);
  const serial = text(token["serial"]) ?? reference ?? "unknown";
  const refusal =
    reference === undefined
      ? undefined
      : await refusalOf(() => client.authorizations.revoke(reference), serial);
  const secret = text(token["access_token"]);
  if (secret === undefined) {
    if (refusal !== undefined) throw refusal;
    return;
  }
  const ask = () => client.callerAs({ kind: "bearer", token: secret });
  const verdict =
    refusal === undefined ? await readUntil(undefined, ask, ({ status }) => status === 401) : await ask();
  if (verdict.status !== 401) throw refusal ?? new NotRevoked(serial, false);
}

/** Why the service does not revoke the token, which may be no longer good all the same; undefined where it did. */
async function refusalOf(remove: () => Promise<unknown>, serial: string): Promise<TenancyError | undefined> {
  try {
    await remove();
    return undefined;
  } catch (error) {
    if (error instanceof MethodUnsupported) return new NotRevoked(serial, true);
    if (error instanceof ApiError && !error.transient) return error;
    throw error;
  }
}

/** Revokes what must not stay, though the run was stopped. A failure is an answer too. */
export async function revoked(connection: Connection, token: ObjectValue): Promise<boolean> {
  return revoke({ ...connection, client: connection.client.unstoppable() }, token).then(
    () => true,
    () => false,
  );
}
