/** Revokes tokens until the service refuses them; the store has a note of each until then. */
import type { FailedRevocation, TokenEntry, Ledger } from "../../credentials";
import { TenancyError } from "../../problems";
import { revoke } from "../../resources";
import type { Connection } from "../../service";

/** A token, and those that it replaced, as tokens that are still to be revoked. */
export function failedRevocationsOf(entry: TokenEntry, at: Date): readonly FailedRevocation[] {
  const { login, name, record, previous } = entry;
  const userId = record["user_id"];
  return [record, ...previous].map(({ id, serial, access_token }) => ({
    login,
    name,
    id,
    serial,
    access_token,
    ...(typeof userId === "string" && { user_id: userId }),
    failed_at: at.toISOString(),
  }));
}

/**
 * Revokes tokens that are noted as to be revoked. The note of one goes once the service refuses it.
 * @returns why some of them are still noted
 */
export async function revokeNoted(
  connection: Connection,
  { failedRevocations }: Ledger,
  tokens: readonly FailedRevocation[],
): Promise<readonly TenancyError[]> {
  const failures: TenancyError[] = [];
  for (const { id, serial, access_token, login, user_id } of tokens) {
    try {
      await revoke(connection, { id, serial, access_token, login, user_id: user_id ?? null });
      failedRevocations.remove({ serial });
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      failures.push(error);
    }
  }
  return failures;
}
