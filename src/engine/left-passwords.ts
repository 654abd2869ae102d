/**
 * Passwords that an earlier run has set for minting (`ephemeral_password`), and that are not proven to be gone: a plan tells of them, and an
 * apply takes them away.
 */
import type { EphemeralPassword } from "../credentials";
import { type Finding, passwordLeft } from "../problems";
import { takeAwayLeftPassword } from "../resources";
import { normalForm } from "../values";
import { onePerPart, type ReadTarget, type Walked, type WriteTarget, type WriteTargets } from "./stages";

/** Warns of those that users still have. */
export function leftPasswords({ objects, targets }: Pick<Walked, "objects" | "targets">): readonly Finding[] {
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

/** Whether the stack declares a password for the user. The key of a user is the login, and so is that of an account for its primary user. */
function isReplaced(
  { login }: EphemeralPassword,
  { origin }: ReadTarget,
  objects: Walked["objects"],
): boolean {
  return objects.some(
    ({ resource, target, change, config }) =>
      resource.inventory !== undefined &&
      target.origin === origin &&
      normalForm(change.key) === normalForm(login) &&
      (config["password_wo"] ?? null) !== null,
  );
}

/** A declared password must not be taken away. */
export function forgetReplacedPasswords(
  { objects }: Pick<Walked, "objects">,
  writeTargets: WriteTargets,
): void {
  for (const { ledger, target } of writeTargets.values())
    for (const password of ledger.ephemeralPasswords.list())
      if (isReplaced(password, target, objects)) ledger.ephemeralPasswords.remove(password);
}

/**
 * Takes away those of earlier runs: what this run has left is told of already.
 * @returns a warning for each that may still be there
 */
export async function takeAwayLeftPasswords(
  writeTargets: Iterable<WriteTarget>,
): Promise<readonly Finding[]> {
  const left: Finding[] = [];
  for (const { connection, ledger, target } of writeTargets)
    for (const password of target.ledger.ephemeralPasswords.list()) {
      const { login, user_id } = password;
      if (ledger.ephemeralPasswords.get(password)?.set_at !== password.set_at) continue;
      const why = await takeAwayLeftPassword(connection, login, user_id);
      if (why === undefined) ledger.ephemeralPasswords.remove(password);
      else left.push(passwordLeft.warning({ login, why, isNoted: true }));
    }
  return left;
}
