/** Passwords cannot be read back: what can be told of them is that a log-in is refused, or that the declared one is another. */
import {
  asWarning,
  OtpRequired,
  PasswordRefused,
  PasswordUnverified,
  SecretDiffers,
  TenancyError,
  Unauthenticated,
  type Diagnostic,
  placeOf,
} from "../../errors";
import { text } from "../../resources/record/members";
import { writeOnlyAttributes } from "../../schema";
import { formatPath, isObject, type ObjectValue, type Path, type Value } from "../../values";
import { planRecord, type PlanRecordOptions } from "./plan-record";
import type { PlannedObject } from "./planned-object";

export interface LookedAt {
  readonly objects: readonly PlannedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

type Verdict = "accepted" | "refused" | { readonly unknown: string };

/** Where `verify_password` asks for it, logs in with the declared password; one that is refused is planned to be sent again. */
export async function withVerifiedPasswords(
  objects: readonly PlannedObject[],
  options: Omit<PlanRecordOptions, "foreseenKey">,
): Promise<LookedAt> {
  if (!objects.some(isToBeVerified)) return { objects, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const looked = await Promise.all(
    objects.map(async (object) => {
      if (!isToBeVerified(object)) return object;
      const verdict = await verdictOn(object);
      if (verdict === "accepted") return object;
      const place = placeOf(object.block, object.instance.address);
      if (verdict !== "refused") {
        diagnostics.push(...asWarning(new PasswordUnverified(object.change.key, verdict.unknown), place));
        return object;
      }
      const anew = resent(object, options);
      if (anew.change.action === "none")
        diagnostics.push(...asWarning(new PasswordRefused(object.change.key), place));
      return anew;
    }),
  );
  return { objects: looked, diagnostics };
}

function isToBeVerified({ config, change, sought }: PlannedObject): boolean {
  if (config["verify_password"] !== true || sought?.kind !== "live") return false;
  const isSent = change.attributes.some(({ path }) => path[0] === "password_wo_version");
  return typeof config["password_wo"] === "string" && !isSent;
}

async function verdictOn({ change, config, target, sought }: PlannedObject): Promise<Verdict> {
  const live = sought?.kind === "live" ? sought.records.self : {};
  if (live["password_set"] === false) return "refused";
  if (live["activated"] === false) return { unknown: "the user is not activated" };
  const access = live["access"];
  if (isObject(access) && access["api"] === false) return { unknown: "the user has no API access" };
  try {
    const password = text(config["password_wo"]) ?? "";
    await target.connection.client.logIn({ username: change.key, password });
    return "accepted";
  } catch (error) {
    if (error instanceof OtpRequired) return { unknown: "the user logs in with two factors" };
    if (error instanceof Unauthenticated) return "refused";
    if (error instanceof TenancyError) return { unknown: error.message };
    throw error;
  }
}

function resent(object: PlannedObject, options: Omit<PlanRecordOptions, "foreseenKey">): PlannedObject {
  const { inventory } = object.resource;
  if (inventory === undefined) return object;
  const refusedSecrets = new Set(["password_wo"]);
  const anew = planRecord(object, inventory, {
    ...options,
    foreseenKey: () => object.change.key,
    refusedSecrets,
  });
  return anew instanceof TenancyError ? object : anew;
}

/** Secrets that are other ones than were sent, under the same version: they will not be sent, which may surprise. */
export async function changedSecrets(objects: readonly PlannedObject[]): Promise<readonly Diagnostic[]> {
  const checks = objects.flatMap((object) =>
    writeOnlyAttributes(object.resource.description.attributes).flatMap(({ path }) => {
      const secret = valueAt(object.config, path);
      return typeof secret === "string" && object.remembered !== undefined
        ? [check(object, path, secret)]
        : [];
    }),
  );
  return (await Promise.all(checks)).flat();
}

async function check(
  { target, remembered, config, change, block, instance }: PlannedObject,
  path: Path,
  secret: string,
): Promise<readonly Diagnostic[]> {
  const { objects } = target.ledger;
  const version = valueAt(config, versionOf(path));
  if (remembered === undefined || objects.sentVersion(remembered, path)?.version !== version) return [];
  if (change.attributes.some((changed) => formatPath(changed.path) === formatPath(versionOf(path))))
    return [];
  if ((await objects.isSameSecret(remembered, path, secret)) !== false) return [];
  const place = { ...placeOf(block, instance.address), attribute: path };
  return asWarning(new SecretDiffers(formatPath(path), place));
}

function versionOf(path: Path): Path {
  return [...path.slice(0, -1), `${path.at(-1)}_version`];
}

function valueAt(config: ObjectValue, path: Path): Value {
  return path.reduce<Value>((value, step) => (isObject(value) ? (value[step] ?? null) : null), config);
}
