/** Tokens that an earlier run should have revoked, and could not: tried again until the service refuses them. */
import type { FailedRevocation } from "../../credentials";
import { TenancyError, UnrevokedToken, asWarning } from "../../errors";
import type { Place } from "./place";
import type { Progress } from "./progress";

export async function revokeLeftovers(places: Iterable<Place>, progress: Progress): Promise<void> {
  for (const place of places) {
    const { failedRevocations } = place.ledger;
    for (const token of failedRevocations.list()) {
      const { login, name, serial } = token;
      if (await isRevoked(place, token)) failedRevocations.remove({ serial });
      else asWarning(new UnrevokedToken(login, name, serial)).forEach((warning) => progress.note(warning));
    }
  }
}

/** Only a refusal of the token itself proves it. */
async function isRevoked(
  { connection }: Place,
  { id, access_token: token }: FailedRevocation,
): Promise<boolean> {
  const { client } = connection;
  await settled(() => client.authorizations.revoke(id));
  const verdict = await settled(() => client.callerAs({ kind: "bearer", token }));
  return verdict?.status === 401;
}

/** Undefined where the service did not do it: that is tried again at the next run. */
async function settled<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TenancyError) return undefined;
    throw error;
  }
}
