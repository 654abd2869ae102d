/** Deletes a token that is no longer declared: revokes it, and takes it out of the store. */
import type { Ledger, TokenEntry } from "../../credentials";
import { failuresIn, type Finding, movedOn, notRevoked } from "../../problems";
import type { Prune } from "../change";
import { removeToken } from "../memory/names";
import type { PlannedRun } from "../plan";
import type { WriteTarget } from "../target";
import { tokenIdentityOf } from "./identity";
import { failedRevocationsOf } from "./revocations";

/** The store was locked only after the plan: another run may have rotated the token since. */
export function requireNotRotated({ change }: Prune, ledger: Ledger): void {
  const { before } = change;
  const entry = ledger.tokens.get(tokenIdentityOf(before));
  if (entry !== undefined && entry.record.serial !== before["serial"])
    throw movedOn.error({ noun: "token", key: change.title, what: "another run has rotated it" });
}

/** Login of the user of a token that is to be deleted; undefined of any other object. */
export function userOfDeletedToken({ change, resource }: Prune): string | undefined {
  return resource.kind === "token" ? tokenIdentityOf(change.before).login : undefined;
}

/** @param userGoes true if the user of the token is deleted next */
export async function deleteToken(
  { change, resource }: Prune,
  { connection, ledger }: WriteTarget,
  userGoes: boolean,
  { run }: PlannedRun,
): Promise<readonly Finding[]> {
  const prior = change.before;
  const identity = tokenIdentityOf(prior);
  const entry = ledger.tokens.get(identity);
  try {
    await resource.delete(connection, { prior });
  } catch (error) {
    // If the service revokes nothing over its API, the token and those before it end with their user, and that is proven afterwards.
    const isRevocable = !failuresIn(error).every((one) => notRevoked.is(one));
    if (isRevocable || !userGoes || entry === undefined) throw error;
    noteUnrevoked(ledger, entry, connection.now());
  }
  removeToken(ledger, identity);
  await run.store.save();
  return [];
}

function noteUnrevoked(ledger: Ledger, entry: TokenEntry, at: Date): void {
  for (const token of failedRevocationsOf(entry, at)) ledger.failedRevocations.put(token);
}
