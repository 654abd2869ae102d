/** Tokens that an earlier run should have revoked, and could not: tried again until the service refuses them. */
import { UnrevokedToken, asWarning } from "../../errors";
import { revokeNoted } from "../store/revoke-noted";
import type { Place } from "./place";
import type { Progress } from "./progress";

export async function revokeLeftovers(places: Iterable<Place>, progress: Progress): Promise<void> {
  for (const { connection, ledger } of places) {
    await revokeNoted(connection, ledger, ledger.failedRevocations.list());
    for (const { login, name, serial } of ledger.failedRevocations.list())
      asWarning(new UnrevokedToken(login, name, serial)).forEach((warning) => progress.note(warning));
  }
}
