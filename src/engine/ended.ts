/** Ends of access: the ends that count, access that has ended and is still granted, and the run that only removes such access (`apply --ended`). */
import type { RememberedObject } from "../state";
import type { CommonRecord } from "../api";
import { compile } from "../lib/language";
import { belongsTo, identityOf } from "../ownership";
import type { Change } from "../plan";
import { type Finding, endNotRemoved } from "../problems";
import {
  ENDED_ACCESS,
  endAttributes,
  endedIn,
  type Ends,
  endsIn,
  endsThatCount,
  grantedIn,
  idOf,
  pastEnds,
  type Proposal,
  type Resource,
} from "../resources";
import { type Description, changesBetween, type Records } from "../schema";
import type { ResourceBlock } from "../stack";
import { normalForm, type ObjectValue } from "../lib/values";
import { type ChangedObject, ObjectChange, undeclaredAddress } from "./change";
import { observedRecordOf } from "./diff/record";
import type { Evaluated } from "./evaluate/stack";
import { type ListedFamily, partsOfObjectKey, rememberedRecord } from "./families";
import type { PlannedDeletes } from "./deletes";
import { isProvenAbsent } from "./entries/names";
import type { EvaluationResult, PlannedObject } from "./planned-object";
import type { ReadTarget } from "./target";

/** A live object whose access has an end, be it declared, left by an apply, or both. */
export interface EndingObject extends ListedFamily {
  readonly target: ReadTarget;
  readonly records: Records;
  /** Natural key of the declaration, or of the last apply. The service may have another one by now. */
  readonly key: string;
  readonly remembered: RememberedObject;
  readonly declared: PlannedObject | undefined;
  /** The ends that count. */
  readonly days: Ends;
  readonly state: ObjectValue;
  /** Access that has ended and is still granted: rights, and `access`. */
  readonly overdue: readonly string[];
}

/** Ended access that an apply has left, and of which no live record is found. */
interface LostEnd {
  readonly target: ReadTarget;
  readonly resource: Resource;
  readonly key: string;
  readonly names: readonly string[];
  /** Why the access may still be granted, as a clause. */
  readonly why: string;
}

/** The live objects whose access has an end. An apply's record is followed under any name. */
export function endingObjects(
  { objects, targets }: Pick<EvaluationResult, "objects" | "targets">,
  asOf: Date,
): { readonly endings: readonly EndingObject[]; readonly lost: readonly LostEnd[] } {
  const endings: EndingObject[] = [];
  const lostEnds: LostEnd[] = [];
  for (const target of targets) {
    const declaredById = new Map(
      objects.flatMap((object): [string, PlannedObject][] => {
        const { lookup } = object;
        if (object.target.provider !== target.provider || lookup?.kind !== "live") return [];
        return [[idOf(lookup.records.self), object]];
      }),
    );
    const add = (family: ListedFamily, records: Records, rememberedObject: RememberedObject, ends: Ends) => {
      const { key } = partsOfObjectKey(rememberedObject.key);
      const declaredObject = declaredById.get(idOf(records.self));
      declaredById.delete(idOf(records.self));
      const days = endsThatCount(endsIn(declaredObject?.config ?? null), ends);
      if (Object.keys(days).length === 0) return;
      const state = family.inventory.stateOf(records, endAttributes(days), asOf);
      const overdue = pastEnds(days, asOf).filter((name) => !endedIn(state).includes(name));
      endings.push({
        ...family,
        ...{ target, records, key, days, state, overdue },
        ...{ remembered: rememberedObject, declared: declaredObject },
      });
    };
    for (const { key: objectKey, uuid, days } of target.part.objects.endingObjects()) {
      const { resource, key } = partsOfObjectKey(objectKey);
      if (resource.kind === "token") continue;
      const { inventory } = resource;
      const list = target.snapshot.listOf(resource.description.name);
      const record = target.part.objects.recordAt(objectKey);
      const withId = inventory.listed(record?.id ?? "", target.snapshot);
      const isSame = record !== undefined && withId !== undefined && belongsTo(identityOf(withId), record);
      const self = list.find("uuid", uuid) ?? (isSame ? withId : undefined);
      if (self !== undefined) {
        const records = inventory.recordsOf(self, target.snapshot);
        add({ resource, inventory }, records, { key: objectKey, uuid }, days);
        continue;
      }
      const names = pastEnds(days, asOf);
      const hasName = (one: CommonRecord) =>
        normalForm(inventory.expectation({ self: one }).key ?? "") === normalForm(key);
      const successor = withId ?? list.records.find(hasName);
      const isGrantedToSuccessor = (one: CommonRecord) => {
        const records = inventory.recordsOf(one, target.snapshot);
        const endedNames = endedIn(inventory.stateOf(records, endAttributes(days), asOf));
        return names.some((name) => !endedNames.includes(name));
      };
      const why =
        successor !== undefined
          ? isGrantedToSuccessor(successor)
            ? `another record has its name or its id (${idOf(successor)}), and nothing shows whether it is the same person`
            : undefined
          : isProvenAbsent(objectKey, target)
            ? undefined
            : "it is not listed, and the lists may not show all there is";
      if (names.length > 0 && why !== undefined) lostEnds.push({ target, resource, key, names, why });
    }
    for (const { resource, lookup, change } of declaredById.values()) {
      if (resource.kind === "token" || lookup?.kind !== "live") continue;
      const { inventory } = resource;
      const { records } = lookup;
      add({ resource, inventory }, records, rememberedRecord(resource, change.key, records), {});
    }
  }
  return { endings, lost: lostEnds };
}

/**
 * The change of a released object whose access has an end: from then on no run knows the end, so that the access stays. It is never sent. The
 * release needs the approval that a declaration without the end needs.
 */
export function withoutEnd({ resource, target, records, key, state }: EndingObject): Change {
  const { attributes, type } = resource.description;
  const object: ChangedObject = {
    ...{ resource, target, sensitive: [], importId: undefined, titleOf: (name: string) => name },
    instance: { address: undeclaredAddress(type, key) },
    block: { constructPath: undefined },
  };
  const grantedRights =
    grantedIn(attributes, records) ?? Object.keys(endsIn(state)).filter((name) => name !== ENDED_ACCESS);
  const rights = Object.fromEntries(grantedRights.map((right) => [right, true]));
  const planned = { ...state, ...endAttributes({}), permissions: rights, ended: null };
  const changes = changesBetween(attributes, state, planned);
  return new ObjectChange(object, {
    ...{ action: "update", key, before: state, granted: grantedRights },
    proposal: { action: "update", planned, changes, replacedBy: [], findings: [] },
    observedRecord: observedRecordOf({ records }, key, target),
  });
}

// The run that only removes ended access.

/** Nothing is deleted, and nothing is released. */
export const NO_DELETES: PlannedDeletes = {
  ...{ prunes: [], retained: [], released: [], findings: [] },
  everywhere: { prunes: [], retained: [] },
};

/**
 * Each object is judged alone: the faults of other declarations are warnings, because a person who may create users could otherwise keep ended access alive.
 * A provider configuration that cannot be read stays an error, because nothing is known of its ends.
 */
export function narrowToEnded(evaluated: Evaluated, asOf: Date): Evaluated {
  const { evaluation, selection, stack } = evaluated;
  const { endings, lost: lostEnds } = endingObjects(evaluation, asOf);
  const objects = endings
    .filter(({ declared, overdue }) => {
      const isChosen =
        declared === undefined ? !selection.isPartial : selection.hasObject(declared.change.address);
      return isChosen && overdue.length > 0;
    })
    .map(endedOnly);
  const addresses = new Set(objects.map(({ change }) => change.address));
  return {
    ...evaluated,
    stack: { ...stack, blocks: objects.map(({ block }) => block) },
    selection: {
      isPartial: true,
      hasBlock: (address) => addresses.has(address),
      hasObject: (address) => addresses.has(address),
    },
    evaluation: {
      ...evaluation,
      ...{ objects, outputs: [], deferred: new Set(), changing: new Set() },
      findings: [
        ...evaluation.findings.map((one): Finding => {
          const isOfProvider = one.address?.startsWith("provider.") === true;
          return isOfProvider ? one : { ...one, severity: "warning" };
        }),
        ...lostEnds.map(({ key, names, why }) => endNotRemoved.at({ who: key, names, why })),
      ],
    },
  };
}

const EMPTY_BODY = compile({});

/** The change of a live object that takes away ended access, and nothing else. */
export function endingProposal(
  { attributes }: Description,
  state: ObjectValue,
  overdue: readonly string[],
): Proposal {
  const planned = { ...state, ended: [...new Set([...endedIn(state), ...overdue])] };
  const changes = changesBetween(attributes, state, planned);
  return { action: "update", planned, changes, replacedBy: [], findings: [] };
}

/** An object with the change that removes its ended access. Everything else stays as it is live, also where the declaration says otherwise. */
function endedOnly(ending: EndingObject): PlannedObject {
  const { resource, inventory, target, records, key, declared, days, state, overdue } = ending;
  const { attributes, type } = resource.description;
  const address = declared?.change.address ?? undeclaredAddress(type, key);
  const proposal = endingProposal(resource.description, state, overdue);
  const block: ResourceBlock = {
    ...{ kind: "resource", address, type, name: key, provider: target.provider, dependencies: [] },
    constructPath: declared?.block.constructPath,
    ...{ suspended: undefined, count: undefined, forEach: undefined, enabled: undefined },
    body: EMPTY_BODY,
    lifecycle: {
      ...{ destroy: declared?.block.lifecycle.destroy ?? true, preventDestroy: false },
      ...{ ignoreChanges: [], preconditions: [], postconditions: [] },
    },
  };
  const object = {
    ...{ block, resource, target, config: {}, importId: undefined },
    instance: { key: undefined, address, surroundings: {} },
    sensitive: declared?.sensitive ?? [],
    titleOf: declared?.titleOf ?? ((name: string) => name),
  };
  const liveKey = inventory.expectation(records).key ?? key;
  return {
    ...object,
    change: new ObjectChange(object, {
      ...{ action: "update", key, before: state, proposal, claim: "managed" },
      observedRecord: observedRecordOf({ records }, liveKey, target),
      notes: normalForm(liveKey) === normalForm(key) ? [] : [`its name at the service is ${liveKey}`],
      granted: grantedIn(attributes, records),
    }),
    ...{ proposal, remembered: ending.remembered, recorded: [], findings: [] },
    lookup: undefined,
    ends: Object.fromEntries(overdue.map((name) => [name, days[name] ?? ""])),
  };
}
