/** Deletes a token that is no longer declared: revokes it, and takes it out of the state. */
import type { StatePart } from "../../state";
import { failuresIn, type Finding, movedOn, notRevoked } from "../../problems";
import type { Prune } from "../change";
import { removeToken } from "../entries/names";
import type { PlannedRun } from "../plan";
import type { WriteTarget } from "../target";
import { tokenIdentityOf } from "./identity";
import { failedRevocationsOf } from "./revocations";

/** The state was locked only after the plan: another run may have rotated the token since. */
export function requireNotRotated({ change }: Prune, part: StatePart): void {
  const { before } = change;
  const entry = part.tokens.get(tokenIdentityOf(before));
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
  { connection, part }: WriteTarget,
  userGoes: boolean,
  { run }: PlannedRun,
): Promise<readonly Finding[]> {
  const prior = change.before;
  const identity = tokenIdentityOf(prior);
  const entry = part.tokens.get(identity);
  try {
    await resource.delete(connection, { prior });
  } catch (error) {
    // If the service revokes nothing over its API, the token and those before it end with their user, and that is proven afterwards.
    const isRevocable = !failuresIn(error).every((one) => notRevoked.is(one));
    const isListed = userGoes || connection.tokensRevocable === false;
    if (isRevocable || !isListed || entry === undefined) throw error;
    failedRevocationsOf(entry, connection.now()).forEach((one) => part.failedRevocations.put(one));
  }
  removeToken(part, identity);
  await run.state.save();
  return [];
}
