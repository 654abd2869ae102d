/** The keys and facts by which the store remembers objects. */
import type {
  Ledger,
  ManagedRecord,
  RememberedEnds,
  RememberedObject,
  TokenIdentity,
} from "../../credentials";
import { declarationOf } from "../../plan";
import { identityOf } from "../../ownership";
import { areRightsOpen, endsIn } from "../../resources";
import { type ObjectValue, textOf } from "../../lib/values";
import { tokenKey } from "../tokens/identity";
import { memoryKeyOf, partsOfMemoryKey, tokenFamily } from "../families";
import type { Prune } from "../change";
import type { DeclaredObject, PlannedObject } from "../planned-object";
import type { ReadTarget } from "../target";

/** Tokens need no uuid here: the store knows their serial numbers. */
const ANY_TOKEN = "-";

export function rememberedToken(key: string): RememberedObject {
  return { key: memoryKeyOf(tokenFamily(), key), uuid: ANY_TOKEN };
}

/** Removes a token and its memory from the store. */
export function removeToken({ tokens, memory }: Ledger, token: TokenIdentity): void {
  tokens.remove(token);
  memory.forgetLeft(rememberedToken(tokenKey(token)).key);
}

/** Key under which the store remembers an object, be it live or not. */
export function rememberedKey({
  resource,
  change,
}: Pick<PlannedObject | Prune, "resource" | "change">): string {
  return memoryKeyOf(resource, change.key);
}

/** The declaration of an object, as the store remembers it. */
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
 * The record by which the store knows an object again.
 * @param self the object's own record or its state, whole: a record without an identity would make any other one managed
 */
export function managedRecordIn(
  { change }: Pick<PlannedObject, "change">,
  self: ObjectValue,
): ManagedRecord | undefined {
  // A destroy keeps unmanaged objects.
  if (change.claim === "unmanaged") return undefined;
  return { ...identityOf(self), account_id: textOf(self["account_id"]) };
}

/** True if lists prove that no object is live under an undeclared key that no managed record has. */
export function isProvenAbsent(key: string, target: ReadTarget): boolean {
  const { resource, key: text } = partsOfMemoryKey(key);
  if (resource.kind === "token") return true;
  return (
    target.incomplete === undefined &&
    resource.inventory.unprovenAbsenceOfText(text, target.snapshot) === undefined
  );
}
