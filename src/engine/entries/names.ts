/** The keys and facts by which the state remembers objects. */
import type { StatePart, ManagedRecord, RememberedEnds, RememberedObject, TokenIdentity } from "../../state";
import { declarationOf } from "../../plan";
import { identityOf } from "../../ownership";
import { areRightsOpen, endsIn } from "../../resources";
import { type ObjectValue, textOf } from "../../lib/values";
import { tokenKey } from "../tokens/identity";
import { objectKeyOf, partsOfObjectKey, tokenFamily } from "../families";
import type { Prune } from "../change";
import type { DeclaredObject, PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";

/** Tokens need no uuid here: the state knows their serial numbers. */
const ANY_TOKEN = "-";

export function rememberedToken(key: string): RememberedObject {
  return { key: objectKeyOf(tokenFamily(), key), uuid: ANY_TOKEN };
}

/** Removes a token and its entry from the state. */
export function removeToken({ tokens, objects }: StatePart, token: TokenIdentity): void {
  tokens.remove(token);
  objects.forgetLeft(rememberedToken(tokenKey(token)).key);
}

/** Key under which the state remembers an object, be it live or not. */
export function rememberedKey({
  resource,
  change,
}: Pick<PlannedObject | Prune, "resource" | "change">): string {
  return objectKeyOf(resource, change.key);
}

/** The declaration of an object, as the state remembers it. */
export function declarationIn({
  resource,
  config,
  block,
}: Pick<DeclaredObject, "resource" | "config" | "block">) {
  return declarationOf(resource.description.attributes, config, block.lifecycle.ignoreChanges);
}

/**
 * The ends of an object's access, as an apply leaves them.
 * @param state holds the ends that were written. @default those of the configuration, which changes nothing
 */
export function endsLeftBy(config: ObjectValue, state: ObjectValue = config): RememberedEnds {
  return { days: endsIn(state), areRightsOpen: areRightsOpen(config) };
}

/**
 * The record by which the state knows an object again.
 * @param self the object's own record or its state, whole: a record without an identity would make any other one managed
 */
export function managedRecordIn(
  { change }: Pick<PlannedObject, "change">,
  self: ObjectValue,
): ManagedRecord | undefined {
  // A destroy keeps unmanaged objects.
  if (change.claim === "unmanaged") return undefined;
  return { account_id: textOf(self["account_id"]), ...identityOf(self) };
}

/** True if lists prove that no object is live under an undeclared key that no managed record has. */
export function isProvenAbsent(key: string, target: ReadTarget): boolean {
  const { resource, key: text } = partsOfObjectKey(key);
  if (resource.kind === "token") return true;
  return (
    target.incomplete === undefined &&
    resource.inventory.unprovenAbsenceOfText(text, target.snapshot) === undefined
  );
}
