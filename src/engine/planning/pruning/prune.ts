/** A delete that no declaration stands for any more. */
import type { TokenEntry } from "../../../credentials";
import { proofOf, type NaturalKey } from "../../../ownership";
import type { Change, DeleteReason } from "../../../plan";
import type { Records, Resource } from "../../../resources";
import { text as textOf } from "../../../resources/record/members";
import type { ObjectValue } from "../../../values";
import { stateOfToken } from "../../store/token-state";
import { tokenFamily, type ListedFamily } from "../families";
import type { PlannedObject } from "../planned-object";
import { sightingOf } from "../plan-record";
import { sightingOfToken, tokenKey } from "../plan-token";
import type { Target } from "../target";

export interface Prune {
  readonly target: Target;
  readonly resource: Resource;
  readonly change: Change;
}

/** Ids of the records and tokens that go. */
export function goingIds(prunes: readonly Prune[]): ReadonlySet<string> {
  return new Set(prunes.flatMap(({ change }) => change.sighting?.id ?? []));
}

/** Address of what is ours and is not declared: `tenancy_user_profile.undeclared["bob@acme"]`. */
export function undeclaredAddress(type: string, key: string): string {
  return `${type}.undeclared[${JSON.stringify(key)}]`;
}

/** @param doomed the declared object that the delete is for, in a destroy */
export function pruneOfRecord(
  target: Target,
  { resource, inventory }: ListedFamily,
  { records, key }: { readonly records: Records; readonly key: NaturalKey },
  reason: DeleteReason,
  doomed: PlannedObject | undefined,
): Prune {
  const text = inventory.textOf(key);
  const before = inventory.stateOf(records, null);
  const isOurs = proofOf(textOf(records.self["uuid"]) ?? "", key, target.owners) !== undefined;
  return {
    target,
    resource,
    change: {
      ...removal(target, resource, text, before, reason, doomed),
      claim: isOurs ? "ours" : "foreign",
      sighting: sightingOf({ records }, text, target),
    },
  };
}

export function pruneOfToken(
  target: Target,
  entry: TokenEntry,
  reason: DeleteReason,
  doomed: PlannedObject | undefined,
): Prune {
  const resource = tokenFamily();
  return {
    target,
    resource,
    change: {
      ...removal(target, resource, tokenKey(entry), stateOfToken(entry, {}), reason, doomed),
      claim: "ours",
      sighting: sightingOfToken(entry, target),
    },
  };
}

export function idOf({ self }: Records): string {
  return textOf(self["id"]) ?? textOf(self["serial"]) ?? "";
}

function removal(
  target: Target,
  { description }: Resource,
  key: string,
  before: ObjectValue,
  reason: DeleteReason,
  doomed: PlannedObject | undefined,
) {
  return {
    action: "delete" as const,
    address: doomed?.instance.address ?? undeclaredAddress(description.type, key),
    description,
    constructPath: doomed?.block.constructPath,
    provider: target.provider,
    key,
    title: doomed?.change.title ?? key,
    // What only the client knows, such as deletion_protection, is as it was declared.
    before: doomed?.change.before ?? before,
    after: null,
    attributes: [],
    replacedBy: [],
    sensitive: doomed?.change.sensitive ?? [],
    importId: undefined,
    reason,
    notes: [],
  };
}
