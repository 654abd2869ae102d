/** Deletes one object that is no longer declared; what the plan saw must still be there, unchanged. */
import type { Ledger } from "../../credentials";
import type { Diagnostic } from "../../errors";
import type { Permits } from "../../plan";
import type { Connection } from "../../resources";
import type { Prune } from "../planning/prunes";

export interface DeleteContext {
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly permits: Permits;
  /** Whether this run has deleted something that belongs to it: that may have raised its sequence number. */
  readonly hasTouchedInside: boolean;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/** @throws TenancyError where it was not deleted */
export async function deleteObject(
  { change, resource }: Prune,
  { connection, ledger, permits, hasTouchedInside, save }: DeleteContext,
): Promise<readonly Diagnostic[]> {
  const { sighting, key } = change;
  const prior = change.before ?? {};
  const diagnostics = await resource.delete(connection, {
    prior,
    ...(sighting !== undefined &&
      resource.inventory !== undefined && {
        expected: {
          uuid: sighting.uuid,
          key: sighting.key,
          accountId: sighting.accountId,
          ...(!hasTouchedInside && { seq: sighting.seq }),
        },
      }),
    // The guards have judged both; the account is looked into once more right before it goes.
    allowed: true,
    ...(permits.nonempty && { allowNonempty: true }),
  });
  if (diagnostics.some(({ severity }) => severity === "error")) return diagnostics;
  if (resource.inventory === undefined) {
    ledger.tokens.remove({ login: String(prior["login"]), name: String(prior["name"]) });
    await save();
  } else {
    ledger.objects.forget(`${resource.description.name}:${key}`);
  }
  return diagnostics;
}
