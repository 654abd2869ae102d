/** Notes the objects that an apply does not write, as the plan saw them. */
import type { LeftObject } from "../../state";
import { appliedValues, type Plan } from "../../plan";
import { idOf } from "../../resources";
import type { Records } from "../../schema";
import type { ObjectValue } from "../../lib/values";
import type { PlanOptions } from "../options";
import { tokenKey } from "../tokens/identity";
import { listedFamilies, rememberedRecord } from "../families";
import type { Prune } from "../change";
import type { EvaluationResult, PlannedObject } from "../planned-object";
import type { ReadTarget, WriteTarget, WriteTargets } from "../target";
import {
  declarationIn,
  endsLeftBy,
  isProvenAbsent,
  managedRecordIn,
  rememberedKey,
  rememberedToken,
} from "./names";
import { privilegesLeftBy } from "./privileges";
import { possiblyRecordedObjects } from "./records";

/** A planned run, as far as it is looked at here. */
interface PlannedObjects {
  readonly plan: Pick<Plan, "partial" | "destroy">;
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
  readonly evaluation: EvaluationResult;
  readonly options: Pick<PlanOptions, "recover">;
  readonly released: readonly { readonly provider: string; readonly key: string }[];
}

/**
 * Notes the objects that the apply did not write.
 * @param changedUsers the present records of users whose temporary password the apply has removed
 */
export function noteUntouched(
  planned: PlannedObjects,
  writeTargets: WriteTargets,
  changedUsers: readonly ObjectValue[] = [],
): void {
  const { plan, evaluation: result } = planned;
  // A run about the whole stack knows all that an apply can have left.
  const isWholeRun = !plan.partial && !plan.destroy && result.unread.length === 0;
  for (const { target, part } of writeTargets.values()) {
    const { objects } = part;
    const { untouched, gone: goneKeys } = untouchedAt(target, planned, changedUsers);
    untouched.forEach((one) => objects.note(one));
    goneKeys.forEach((key) => objects.forgetLeft(key));
    for (const { provider, key } of planned.released) if (provider === target.provider) objects.release(key);
    const areAllKnown = () =>
      result.objects
        .filter((object) => object.target.provider === target.provider && object.lookup?.kind === "live")
        .map(rememberedKey)
        .every((key) => objects.hasLeft(key) || objects.isPending(key));
    if (isWholeRun && areAllKnown()) objects.markComplete();
  }
}

/** True if an apply that has nothing to write has something to note. */
export function hasSomethingToNote(
  planned: PlannedObjects,
  openTargets: ReadonlyMap<string, Pick<WriteTarget, "target">>,
): boolean {
  return [...openTargets.values()].some(({ target }) => {
    const { objects, exists } = target.part;
    // A run about a part of the stack makes no state for that.
    if (planned.plan.partial && planned.options.recover !== true && !exists) return false;
    if (target.part.moved.length > 0) return true;
    const { untouched, gone: goneKeys } = untouchedAt(target, planned, []);
    const isReleased = planned.released.some(({ provider }) => provider === target.provider);
    return isReleased || goneKeys.length > 0 || untouched.some((one) => !objects.isNoted(one));
  });
}

/** The unchanged objects, and the keys of deleted objects that an earlier apply left. */
function untouchedAt(
  target: ReadTarget,
  { objects, prunes, evaluation: result, plan, options, released }: PlannedObjects,
  changedUsers: readonly ObjectValue[],
): { readonly untouched: readonly LeftObject[]; readonly gone: readonly string[] } {
  const changedIds = new Set(changedUsers.map(({ id }) => id));
  const untouched: LeftObject[] = [];
  for (const object of objects) {
    if (object.target.provider !== target.provider) continue;
    const { change, lookup, remembered: rememberedObject, resource } = object;
    const records = lookup?.kind === "live" ? lookup.records : undefined;
    // A user who was written to before counts as well: the answer to that write still showed the password.
    if (change.action !== "none" && !changedIds.has(records?.self["id"])) continue;
    // A recovered object with another declaration was not applied as it is declared now.
    const isApplied = options.recover !== true || object.proposal === undefined;
    const declaration = isApplied ? declarationIn(object) : null;
    const declaredFacts = { declaration, sensitive: object.sensitive };
    const isRetained = !object.block.lifecycle.destroy;
    if (resource.kind === "token") {
      untouched.push({ object: rememberedToken(change.key), left: {}, isRetained, ...declaredFacts });
    } else if (records !== undefined && rememberedObject !== undefined) {
      const leftValues = appliedValues(resource.description.attributes, withChanged(records, changedUsers));
      const record = managedRecordIn(object, records.self);
      const ends =
        "permissions_until" in resource.description.attributes ? endsLeftBy(object.config) : undefined;
      const isSuspended = object.block.suspended === true;
      untouched.push({
        ...{ object: rememberedObject, left: leftValues, ends, record, isSuspended, ...declaredFacts },
        ...{ privileges: privilegesLeftBy(object), isRetained },
      });
    }
  }
  if (plan.partial) return { untouched, gone: [] };
  const others = [...result.objects, ...prunes].filter((one) => one.target.provider === target.provider);
  const releasedKeys = new Set(released.map(({ key }) => key));
  const retainedObjects = retainedAt(target, others, releasedKeys, changedUsers);
  const present = new Set([
    ...others.map(rememberedKey),
    ...retainedObjects.map(({ object }) => object.key),
    // An object that was renamed outside is not gone.
    ...possiblyRecordedObjects(target.part, target.snapshot).map(({ recordedKey }) => recordedKey),
  ]);
  const goneKeys: string[] = [];
  for (const { key } of target.part.objects.leftObjects())
    if (!present.has(key) && isProvenAbsent(key, target)) goneKeys.push(key);
  return { untouched: [...untouched, ...retainedObjects], gone: goneKeys };
}

/** Objects that we own, that are not declared, and that the run does not delete. */
function retainedAt(
  target: ReadTarget,
  others: readonly (PlannedObject | Prune)[],
  releasedKeys: ReadonlySet<string>,
  changedUsers: readonly ObjectValue[],
): readonly LeftObject[] {
  const ids = new Set(others.flatMap(({ change }) => change.observedRecord?.id ?? []));
  const records = listedFamilies().flatMap(({ resource, inventory }) =>
    target
      .managed(resource, (self) => !ids.has(idOf(self)))
      .filter(
        ({ records, key }) =>
          !releasedKeys.has(rememberedRecord(resource, inventory.textOf(key), records).key),
      )
      .map(({ records: live, key }): LeftObject => {
        const object = rememberedRecord(resource, inventory.textOf(key), live);
        const leftValues = appliedValues(resource.description.attributes, withChanged(live, changedUsers));
        return { object, left: leftValues, declaration: null };
      }),
  );
  const keys = new Set(others.map(({ change }) => change.key));
  const tokens = target.part.tokens
    .list()
    .map(tokenKey)
    .filter((key) => !keys.has(key))
    .map((key) => ({ object: rememberedToken(key), left: {}, declaration: null }));
  return [...records, ...tokens];
}

/** The plan's records, with changed records in their place. */
function withChanged({ self, primary }: Records, changedUsers: readonly ObjectValue[]): Records {
  const now = (record: ObjectValue) => changedUsers.find(({ id }) => id === record["id"]) ?? record;
  return { self: now(self), primary: primary && now(primary) };
}
