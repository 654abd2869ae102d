/** Deletes one object that is no longer declared; what the plan saw must still be there, unchanged. */
import type { Ledger, TokenEntry } from "../../credentials";
import { NotRevoked, type Diagnostic } from "../../errors";
import type { Sighting } from "../../plan";
import type { Connection } from "../../resources";
import type { Prune } from "../planning/pruning/prune";
import { identityOf } from "../store/token-state";
import { failedRevocationsOf } from "../store/failed-revocations";

export interface DeleteContext {
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly allowNonempty: boolean;
  /** Sequence number that the record is to have still; undefined where it has none. */
  readonly seq: Sighting["seq"];
  /** Whether the user of the token is deleted next. */
  readonly userGoes: boolean;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/** @throws TenancyError where it was not deleted */
export async function deleteObject(prune: Prune, context: DeleteContext): Promise<readonly Diagnostic[]> {
  return prune.resource.inventory === undefined ? deleteToken(prune, context) : deleteRecord(prune, context);
}

async function deleteRecord(
  { change, resource }: Prune,
  { connection, ledger, allowNonempty, seq }: DeleteContext,
): Promise<readonly Diagnostic[]> {
  const { sighting, key } = change;
  const diagnostics = await resource.delete(connection, {
    prior: change.before ?? {},
    expected: {
      uuid: sighting?.uuid,
      key: sighting?.key,
      accountId: sighting?.accountId,
      ...(seq !== undefined && { seq }),
    },
    // The guards have judged it; the account is looked into once more right before it goes.
    allowed: true,
    ...(allowNonempty && { allowNonempty }),
  });
  if (diagnostics.every(({ severity }) => severity !== "error"))
    ledger.objects.forget(`${resource.description.name}:${key}`);
  return diagnostics;
}

async function deleteToken(
  { change, resource }: Prune,
  { connection, ledger, userGoes, save }: DeleteContext,
): Promise<readonly Diagnostic[]> {
  const prior = change.before ?? {};
  const identity = identityOf(prior);
  const entry = ledger.tokens.get(identity);
  try {
    await resource.delete(connection, { prior });
  } catch (error) {
    // A service that revokes nothing over its API: the token ends with its user, and that is proven afterwards.
    if (!(error instanceof NotRevoked) || !userGoes || entry === undefined) throw error;
    noteUnrevoked(ledger, entry, connection.now());
  }
  ledger.tokens.remove(identity);
  await save();
  return [];
}

function noteUnrevoked(ledger: Ledger, entry: TokenEntry, at: Date): void {
  for (const token of failedRevocationsOf(entry, at)) ledger.failedRevocations.put(token);
}
