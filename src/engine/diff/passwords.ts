/**
 * Checks passwords, which cannot be read back: a refused log-in, a different digest, or a password that was left from creating tokens shows that a
 * password differs.
 */
import type { EphemeralPassword, RememberedObject } from "../../credentials";
import {
  type Finding,
  passwordLeft,
  passwordRefused,
  passwordUnverified,
  whereaboutsOf,
  secretDiffers,
} from "../../problems";
import { idOf, updatesPassword, type Verdict } from "../../resources";
import { versionPath, writeOnlyAttributes } from "../../schema";
import { formatPath, normalForm, type Path, valueAt } from "../../lib/values";
import { type PlannedObject, type ReadTarget } from "../stages";
import { planRecord, type PlanRecordOptions } from "./record";

interface LookedAt {
  readonly objects: readonly PlannedObject[];
  readonly findings: readonly Finding[];
}

/**
 * Whether objects of a run set another password of a live user, or take it away.
 * @param login the key of a user, and of an account the login of its primary user
 */
export function updatePasswordOf(
  login: string,
  { origin }: ReadTarget,
  objects: readonly PlannedObject[],
): boolean {
  const key = normalForm(login);
  return objects.some(
    ({ target, change }) =>
      target.origin === origin && updatesPassword(change) && normalForm(change.key) === key,
  );
}

/**
 * If `verify_password` is set, logs in with the declared password. A refused password is planned to be sent again, and so is one in whose place
 * a run has left another.
 */
export async function withVerifiedPasswords(
  objects: readonly PlannedObject[],
  options: Omit<PlanRecordOptions, "foreseenKey">,
): Promise<LookedAt> {
  const attempts: Promise<readonly [PlannedObject, Verdict]>[] = [];
  for (const object of objects) {
    const attempt = attemptOn(object);
    if (attempt !== undefined) attempts.push(attempt.then((verdict) => [object, verdict]));
  }
  const verdicts = new Map(await Promise.all(attempts));
  const findings: Finding[] = [];
  const looked = objects.map((object) => {
    if (hasLeftPassword(object)) return resent(object, options);
    const verdict = verdicts.get(object);
    if (verdict === undefined || verdict === "accepted") return object;
    const where = whereaboutsOf(object.block, object.instance.address);
    if (verdict !== "refused") {
      findings.push(passwordUnverified.at({ login: object.change.title, why: verdict.unknown }, where));
      return object;
    }
    const anew = resent(object, options);
    if (anew.change.action === "none")
      findings.push(passwordRefused.at({ login: object.change.title, isVersioned: false }, where));
    return anew;
  });
  return { objects: looked, findings };
}

/** Undefined if nothing is to be tried: a password that is sent anyway needs no attempt. */
function attemptOn({
  resource,
  change,
  config,
  target,
  lookup,
}: PlannedObject): Promise<Verdict> | undefined {
  const { kind, inventory, verify } = resource;
  if (lookup?.kind !== "live" || kind === "token" || verify === undefined) return undefined;
  const isSent = change.attributes.some(({ path }) => path[0] === "password_wo_version");
  return isSent
    ? undefined
    : verify(target.connection, config, () => inventory.stateOf(lookup.records, null));
}

/** Whether the user has a password that was set to create a token, and that is not proven to be gone: no declared one is live then. */
function hasLeftPassword({ target, lookup, config }: PlannedObject): boolean {
  if (lookup?.kind !== "live" || (config["password_wo"] ?? null) === null) return false;
  const { self, primary: user = self } = lookup.records;
  if (user["password_set"] === false) return false;
  return target.ledger.ephemeralPasswords.get({ user_id: idOf(user) }) !== undefined;
}

function resent(object: PlannedObject, options: Omit<PlanRecordOptions, "foreseenKey">): PlannedObject {
  const { block, instance, resource, target, config, sensitive, sensitiveParts, titleOf, importId } = object;
  const { kind, inventory } = resource;
  if (kind === "token") return object;
  // Nothing else of the object: what was planned for it before does not count.
  const declared = {
    block,
    instance,
    resource,
    target,
    config,
    sensitive,
    sensitiveParts,
    titleOf,
    importId,
  };
  const refusedSecrets = new Set(["password_wo"]);
  return planRecord(declared, inventory, {
    ...options,
    foreseenKey: () => object.change.key,
    refusedSecrets,
  });
}

/** Secrets that differ from those that were sent, under the same version. They will not be sent, which may surprise the user. */
export async function changedSecrets(objects: readonly PlannedObject[]): Promise<readonly Finding[]> {
  const checks: Promise<readonly Finding[]>[] = [];
  for (const object of objects) {
    const { remembered, resource, config } = object;
    if (remembered === undefined) continue;
    for (const { path } of writeOnlyAttributes(resource.description.attributes)) {
      const secret = valueAt(config, path);
      if (typeof secret === "string") checks.push(check(object, remembered, path, secret));
    }
  }
  return (await Promise.all(checks)).flat();
}

async function check(
  { target, change, block, instance }: PlannedObject,
  remembered: RememberedObject,
  path: Path,
  secret: string,
): Promise<readonly Finding[]> {
  // Another version is a change, and is sent.
  if (change.attributes.some((changed) => formatPath(changed.path) === formatPath(versionPath(path))))
    return [];
  if ((await target.ledger.objects.isSameSecret(remembered, path, secret)) !== false) return [];
  const where = { ...whereaboutsOf(block, instance.address), attribute: path };
  return [secretDiffers.at(formatPath(path), where)];
}

// Passwords that an earlier run has set to create a token (`temporary_password`), and that are not proven to be gone.

/**
 * Warns of those that users still have.
 * @param objects those that the apply carries out
 */
export function leftPasswords(
  targets: readonly ReadTarget[],
  objects: readonly PlannedObject[],
): readonly Finding[] {
  return targets.flatMap((target) =>
    target.ledger.ephemeralPasswords
      .list()
      .filter(
        (password) => isStillSet(password, target) && !updatePasswordOf(password.login, target, objects),
      )
      .map(({ login }) => passwordLeft.warning({ login, why: "the service still shows one", isNoted: true })),
  );
}

function isStillSet({ login, user_id }: EphemeralPassword, { snapshot }: ReadTarget): boolean {
  const user = snapshot.profileWithLogin(login);
  if (user === undefined || user.password_set === false) return false;
  return user_id === user.id || user_id === user.serial;
}
