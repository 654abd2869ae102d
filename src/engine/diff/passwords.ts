/**
 * Checks passwords, which cannot be read back: a different digest, or a password that was left from creating tokens, shows that a password differs.
 */
import type { TemporaryPassword, RememberedObject } from "../../state";
import { type Finding, passwordLeft, whereaboutsOf, secretDiffers } from "../../problems";
import { idOf, updatesPassword } from "../../resources";
import { versionPath, writeOnlyAttributes } from "../../schema";
import { formatPath, normalForm, type Path, valueAt } from "../../lib/values";
import type { PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";
import { planRecord, type PlanRecordOptions } from "./record";

/**
 * True if objects of a run set another password of a live user, or take it away.
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

/** Plans to send a declared password again where a run has set another one to create a token, and did not take that one away. */
export function resendReplacedPasswords(
  objects: readonly PlannedObject[],
  options: Omit<PlanRecordOptions, "foreseenKey">,
): readonly PlannedObject[] {
  return objects.map((object) => (hasLeftPassword(object) ? resent(object, options) : object));
}

/** True if the user has a password that was set to create a token, and that is not proven to be removed: then no declared password is live. */
function hasLeftPassword({ target, lookup, config }: PlannedObject): boolean {
  if (lookup?.kind !== "live" || (config["password_wo"] ?? null) === null) return false;
  const { self, primary: user = self } = lookup.records;
  if (user["password_set"] === false) return false;
  return target.part.temporaryPasswords.get({ user_id: idOf(user) }) !== undefined;
}

function resent(object: PlannedObject, options: Omit<PlanRecordOptions, "foreseenKey">): PlannedObject {
  const { block, instance, resource, target, config, sensitive, titleOf, importId } = object;
  const { kind, inventory } = resource;
  if (kind === "token") return object;
  // Nothing else of the object: its earlier plan does not count.
  const declaredObject = {
    block,
    instance,
    resource,
    target,
    config,
    sensitive,
    titleOf,
    importId,
  };
  return planRecord(declaredObject, inventory, {
    ...options,
    foreseenKey: () => object.change.key,
    replacedSecrets: new Set(["password_wo"]),
  });
}

/** Secrets that differ from the sent ones under the same version. They will not be sent, which may surprise the user. */
export async function warnChangedSecrets(objects: readonly PlannedObject[]): Promise<readonly Finding[]> {
  const checks: Promise<readonly Finding[]>[] = [];
  for (const object of objects) {
    const { remembered: rememberedObject, resource, config } = object;
    if (rememberedObject === undefined) continue;
    for (const { path } of writeOnlyAttributes(resource.description.attributes)) {
      const secret = valueAt(config, path);
      if (typeof secret === "string")
        checks.push(checkStoredPassword(object, rememberedObject, path, secret));
    }
  }
  return (await Promise.all(checks)).flat();
}

async function checkStoredPassword(
  { target, change, block, instance }: PlannedObject,
  rememberedObject: RememberedObject,
  path: Path,
  secret: string,
): Promise<readonly Finding[]> {
  // Another version is a change, and is sent.
  if (change.attributes.some((attribute) => formatPath(attribute.path) === formatPath(versionPath(path))))
    return [];
  if ((await target.part.objects.isSameSecret(rememberedObject, path, secret)) !== false) return [];
  const where = { ...whereaboutsOf(block, instance.address), attribute: path };
  return [secretDiffers.at(formatPath(path), where)];
}

// Passwords that an earlier run has set to create a token (`temporary_password`), and that are not proven to be gone.

/**
 * Warns of temporary passwords that users still have.
 * @param objects the objects of the apply
 */
export function warnTemporaryPasswords(
  targets: readonly ReadTarget[],
  objects: readonly PlannedObject[],
): readonly Finding[] {
  return targets.flatMap((target) =>
    target.part.temporaryPasswords
      .list()
      .filter(
        (password) => isStillSet(password, target) && !updatePasswordOf(password.login, target, objects),
      )
      .map(({ login }) => passwordLeft.warning({ login, why: "the service still shows one", isNoted: true })),
  );
}

function isStillSet({ login, user_id }: TemporaryPassword, { snapshot }: ReadTarget): boolean {
  const user = snapshot.profileWithLogin(login);
  if (user === undefined || user.password_set === false) return false;
  return user_id === user.id || user_id === user.serial;
}
