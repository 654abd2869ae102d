import type { FailedRevocation, Ledger } from "../../credentials";
import { TenancyError } from "../../errors";
import type { Connection } from "../../resources";
import { revoke } from "../../resources/authorization/revoke";

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
