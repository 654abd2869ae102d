/** Revokes tokens until the service refuses them; the state has a note of each until then. */
import type { FailedRevocation, TokenEntry, StatePart } from "../../state";
import { type Finding, TenancyError } from "../../problems";
import { revoke } from "../../resources";
import type { Connection } from "../../service";

/** A token and its replaced ones, as tokens that remain to be revoked. */
export function failedRevocationsOf(entry: TokenEntry, at: Date): readonly FailedRevocation[] {
  const { login, name, record, previous } = entry;
  const userId = record["user_id"];
  return [record, ...previous].map(({ id, serial, access_token, access_token_sealed, created_at }) => ({
    login,
    name,
    id,
    serial,
    access_token,
    ...(typeof access_token_sealed === "string" && {
      access_token_sealed,
      created_at: typeof created_at === "string" ? created_at : null,
    }),
    ...(typeof userId === "string" && { user_id: userId }),
    failed_at: at.toISOString(),
  }));
}

/**
 * Revokes tokens that are noted as to be revoked. The note of one goes once the service refuses it.
 * @returns `failures`, why some of them are still noted, and `warnings`
 */
export async function revokeNoted(
  connection: Connection,
  { failedRevocations }: StatePart,
  tokens: readonly FailedRevocation[],
): Promise<{ readonly failures: readonly TenancyError[]; readonly warnings: readonly Finding[] }> {
  const warnings: Finding[] = [];
  const failures: TenancyError[] = [];
  for (const token of tokens) {
    const { serial, access_token_sealed = null, created_at = null, user_id = null } = token;
    try {
      const state = { ...token, access_token_sealed, created_at, user_id };
      warnings.push(...(await revoke(connection, state)));
      failedRevocations.remove({ serial });
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      failures.push(error);
    }
  }
  return { failures, warnings };
}
