/** Replaces a token that somebody else may have: whatever becomes of the new one, the old one and those before it are revoked. */
import type { Ledger, TokenEntry } from "../../credentials";
import { RevokedNotReplaced, SeveralFailures, TenancyError } from "../../errors";
import type { Connection, Outcome } from "../../resources";
import { tokenKey } from "../planning/plan-token";
import { failedRevocationsOf } from "../store/failed-revocations";
import { revokeNoted } from "../store/revoke-noted";

export interface CompromisedToken {
  readonly entry: TokenEntry;
  readonly connection: Connection;
  readonly ledger: Ledger;
  /** Mints the new one, and keeps it durably. */
  readonly mint: () => Promise<Outcome>;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/**
 * @returns the new token; errors among the diagnostics mean that an old one is still good
 * @throws RevokedNotReplaced, or what went wrong with minting and with revoking
 */
export async function replaceCompromised(token: CompromisedToken): Promise<Outcome> {
  const { entry, connection, ledger, mint, save } = token;
  const old = failedRevocationsOf(entry, connection.now());
  // Should this run be cut short, every later one goes on revoking.
  old.forEach((one) => ledger.failedRevocations.put(one));
  await save();
  const minted = await tried(mint);
  // A new token that could not be kept has taken the notes with it.
  old.forEach((one) => ledger.failedRevocations.put(one));
  const failures = await revokeNoted(connection, ledger, old);
  if (!(minted instanceof TenancyError)) {
    return {
      ...minted,
      diagnostics: [...minted.diagnostics, ...failures.flatMap((failure) => failure.toDiagnostics())],
    };
  }
  ledger.tokens.remove(entry);
  await save();
  throw failures.length === 0
    ? new RevokedNotReplaced(tokenKey(entry), minted)
    : new SeveralFailures([minted, ...failures]);
}

async function tried(mint: () => Promise<Outcome>): Promise<Outcome | TenancyError> {
  try {
    return await mint();
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}
