/**
 * Warns of values that stay although the configuration does not decide about them. Terraform does not remember declared values, so its plan shows no change.
 */
import { type Finding, noLongerDeclared, passwordAppeared } from "../problems";
import type { Resource } from "../resources";
import { attributeAt, type Attribute, diff, lastValue } from "../schema";
import { isList, type ObjectValue, parsePath, plainText, stringifyJson, valueAt } from "../lib/values";
import type { Notes } from "./private-state";
import { keyOf } from "./words";

/** Warnings for attributes that keep their values although they are no longer declared. */
export function warningsOfUndeclared(
  { description: { attributes } }: Resource,
  desired: ObjectValue,
  prior: ObjectValue,
  { declaredPaths = [] }: Notes,
): readonly Finding[] {
  const unset = desired["unset"] ?? null;
  const unsets = (name: string): boolean =>
    isList(unset) && (unset.includes(name) || (unset.includes("*") && attributes[name]?.nullable === true));
  const undeclaredPaths = declaredPaths.filter((path) => {
    const [name = ""] = path.split(".");
    // Every plan warns of undeclared permissions.
    return name !== "permissions" && !unsets(name) && valueAt(desired, parsePath(path)) === null;
  });
  return undeclaredPaths.flatMap((text) => {
    const path = parsePath(text);
    const attribute = attributeAt(attributes, path);
    const value = valueAt(prior, path);
    const isMemberUndeclared = undeclaredPaths.some((other) => text.startsWith(`${other}.`));
    if (attribute === undefined || isMemberUndeclared || !attribute.shown) return [];
    if (
      diff(attribute, undefined, value, lastValue(value)) !== "stays" ||
      (isList(value) && value.length === 0)
    )
      return [];
    return [
      noLongerDeclared.at({
        who: keyOf(prior),
        path,
        value: attribute.sensitive ? undefined : plainText(stringifyJson(value), 120),
        takenAwayBy: takenAwayBy(attribute),
      }),
    ];
  });
}

function takenAwayBy({ nullable, shape }: Attribute) {
  if (nullable) return "unset";
  return shape.kind === "list" || shape.kind === "set" ? "emptying" : "another value";
}

/** A warning if a refresh has found a password that the last apply did not leave, and the configuration does not decide about it. */
export function warningsOfPassword(
  desired: ObjectValue,
  prior: ObjectValue,
  { hasPasswordAppeared }: Notes,
): readonly Finding[] {
  const unset = desired["unset"] ?? null;
  const isDecided =
    (desired["password_wo"] ?? null) !== null || (isList(unset) && unset.includes("password_wo"));
  return hasPasswordAppeared === true && !isDecided ? [passwordAppeared.at({ login: keyOf(prior) })] : [];
}
