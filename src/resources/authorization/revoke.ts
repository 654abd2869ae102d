/** Revoking a token, until the service refuses it: only that counts (design: Tokens). */
import { MethodUnsupported, NotRevoked } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Connection } from "../family";
import { text } from "../record/members";
import { readUntil } from "../record/read-again";

/**
 * @param token state of a token, or an entry of its `previous`
 * @throws NotRevoked where it is still good
 */
export async function revoke({ client }: Connection, token: ObjectValue): Promise<void> {
  const reference = text(token["id"]) ?? text(token["serial"]);
  const serial = text(token["serial"]) ?? reference ?? "unknown";
  const unsupported =
    reference !== undefined && !(await asked(() => client.authorizations.revoke(reference)));
  const secret = text(token["access_token"]);
  if (secret === undefined) {
    if (unsupported) throw new NotRevoked(serial, true);
    return;
  }
  const ask = () => client.callerAs({ kind: "bearer", token: secret });
  const verdict = unsupported ? await ask() : await readUntil(undefined, ask, ({ status }) => status === 401);
  if (verdict.status !== 401) throw new NotRevoked(serial, unsupported);
}

/** False where the service says that it does not revoke over its API. */
async function asked(remove: () => Promise<unknown>): Promise<boolean> {
  try {
    await remove();
    return true;
  } catch (error) {
    if (error instanceof MethodUnsupported) return false;
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
