import type { TokenEntry } from "../../credentials";
import type { Target } from "./target";

/**
 * Serials of the store's tokens that the service refuses although their users are live, active and have API access (design §3, "Gone
 * means").
 */
export async function refusedTokens(target: Target): Promise<ReadonlySet<string>> {
  const entries = target.ledger.tokens.list();
  const verdicts = await Promise.all(
    entries.map(async (entry) => {
      if (!isInUse(entry, target)) return undefined;
      const { status } = await target.connection.client.callerAs({
        kind: "bearer",
        token: entry.record.access_token,
      });
      return status === 401 ? entry.record.serial : undefined;
    }),
  );
  return new Set(verdicts.filter((serial) => serial !== undefined));
}

/** Whether a refusal could mean nothing but that the token is gone. */
function isInUse({ login }: TokenEntry, { snapshot }: Target): boolean {
  const profile = snapshot.profileWithLogin(login);
  if (profile === undefined || profile.activated === false) return false;
  const access = profile.access as { api?: unknown } | null | undefined;
  return access?.api !== false;
}
