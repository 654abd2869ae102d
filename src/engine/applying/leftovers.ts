/** Tokens that an earlier run should have revoked, and could not: tried again until the service refuses them. */
import { TenancyError, UnrevokedToken, asWarning } from "../../errors";
import type { Applier } from "./applier";
import type { Progress } from "./progress";

export async function revokeLeftovers(applier: Applier, progress: Progress): Promise<void> {
  for (const { opened, ledger } of applier.places.values()) {
    const { client } = opened.connection;
    for (const { serial, id, login, name, access_token: token } of ledger.failedRevocations.list()) {
      try {
        await client.authorizations.revoke(id);
      } catch (error) {
        if (!(error instanceof TenancyError)) throw error;
      }
      const { status } = await client.callerAs({ kind: "bearer", token });
      if (status === 401) ledger.failedRevocations.remove({ serial });
      else asWarning(new UnrevokedToken(login, name, serial)).forEach((warning) => progress.note(warning));
    }
  }
}
