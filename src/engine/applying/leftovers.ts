/** Tokens that this run or an earlier one should have revoked, and could not: tried again until they are proven to end. */
import { UnrevokedToken, asWarning } from "../../errors";
import { revokeNoted } from "../store/revoke-noted";
import type { Place } from "./place";
import type { Progress } from "./progress";

/** What an earlier run has left is a warning; what this run was to revoke, and did not, is an error. */
export async function revokeLeftovers(places: Iterable<Place>, progress: Progress): Promise<void> {
  for (const { connection, ledger, target } of places) {
    const earlier = new Set(target.ledger.failedRevocations.list().map(({ serial }) => serial));
    await revokeNoted(connection, ledger, ledger.failedRevocations.list());
    for (const { login, name, serial } of ledger.failedRevocations.list()) {
      const error = new UnrevokedToken(login, name, serial);
      const diagnostics = earlier.has(serial) ? asWarning(error) : error.toDiagnostics();
      diagnostics.forEach((one) => progress.note(one));
    }
  }
}
