/**
 * Passwords that an earlier run has set for minting (`ephemeral_password`), and that are not proven to be gone: a plan tells of them, and an
 * apply takes them away.
 */
import type { EphemeralPassword } from "../credentials";
import { type Finding, isError, passwordLeft } from "../problems";
import { type Outcome, takeAwayLeftPassword } from "../resources";
import { normalForm } from "../values";
import { updatesPassword } from "./diff/passwords";
import {
  onePerPart,
  type PlannedObject,
  type ReadTarget,
  type WriteTarget,
  type WriteTargets,
} from "./stages";

/**
 * Warns of those that users still have.
 * @param objects those that the apply carries out
 */
export function leftPasswords(
  targets: readonly ReadTarget[],
  objects: readonly PlannedObject[],
): readonly Finding[] {
  return onePerPart(targets).flatMap((target) =>
    target.ledger.ephemeralPasswords
      .list()
      .filter((password) => isLive(password, target) && !isReplaced(password, target, objects))
      .map(({ login }) => passwordLeft.warning({ login, why: "the service still shows one", isNoted: true })),
  );
}

function isLive({ login, user_id }: EphemeralPassword, { snapshot }: ReadTarget): boolean {
  const user = snapshot.profileWithLogin(login);
  if (user === undefined || user.password_set === false) return false;
  return user_id === user.id || user_id === user.serial;
}

/** Whether the run sends another password. The key of a user is the login, and so is that of an account for its primary user. */
function isReplaced(
  { login }: EphemeralPassword,
  { origin }: ReadTarget,
  objects: readonly PlannedObject[],
): boolean {
  return objects.some(
    ({ target, change }) =>
      target.origin === origin && updatesPassword(change) && normalForm(change.key) === normalForm(login),
  );
}

/** After a write of an object: the password that it has sent, if any, has taken the place of one that was left, whoever has left it. */
export function forgetReplacedPassword(
  { change, target: { origin } }: PlannedObject,
  { findings }: Outcome,
  writeTargets: WriteTargets,
): void {
  if (!updatesPassword(change) || findings.some(isError)) return;
  for (const { ledger, target } of writeTargets.values())
    for (const password of target.origin === origin ? ledger.ephemeralPasswords.list() : [])
      if (normalForm(password.login) === normalForm(change.key)) ledger.ephemeralPasswords.remove(password);
}

/**
 * Takes away those of earlier runs: what this run has left is told of already, and where it has set out to send another password, only the
 * next run can tell which one is live.
 * @param onTaken called for each user from whom one was taken: a service may end the user's tokens with it
 * @returns a warning for each that may still be there
 */
export async function takeAwayLeftPasswords(
  writeTargets: Iterable<WriteTarget>,
  objects: readonly PlannedObject[],
  onTaken: (login: string, target: ReadTarget) => void,
): Promise<readonly Finding[]> {
  const left: Finding[] = [];
  for (const { connection, ledger, target } of writeTargets)
    for (const password of target.ledger.ephemeralPasswords.list()) {
      const { login, user_id } = password;
      if (ledger.ephemeralPasswords.get(password)?.set_at !== password.set_at) continue;
      if (isReplaced(password, target, objects)) continue;
      const taken = await takeAwayLeftPassword(connection, login, user_id);
      if (typeof taken === "object")
        left.push(passwordLeft.warning({ login, why: taken.why, isNoted: true }));
      else ledger.ephemeralPasswords.remove(password);
      if (taken === "taken") onTaken(login, target);
    }
  return left;
}
