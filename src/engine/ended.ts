/** Restricts a run to ended access (`apply --ended`): it removes ended access, and changes nothing else. */
import { endedIn, endsIn, ENDED_ACCESS } from "../resources";
import { diff } from "../schema";
import { isObject, isWhollyKnown, type ObjectValue, type Value } from "../lib/values";
import { ObjectChange } from "./change";
import type { Evaluated } from "./evaluate/stack";
import type { PlannedObject } from "./planned-object";

/** The attributes of a declaration that a write of ended access needs: they say which record is meant. */
const NAMING_ATTRIBUTES = ["name", "username", "account_id", "uuid", "user_uuid"];

/** Only live objects of which something has ended and is still granted are part of the run. */
export function narrowToEnded(evaluated: Evaluated): Evaluated {
  const { evaluation, selection } = evaluated;
  const objects = evaluation.objects.map((object) => endedOnly(object) ?? object);
  const addresses = new Set(
    objects.flatMap(({ isEndedOnly = false, change }) =>
      isEndedOnly && selection.hasObject(change.address) ? [change.address] : [],
    ),
  );
  const blocks = new Set(
    objects.flatMap(({ block, change }) => (addresses.has(change.address) ? [block.address] : [])),
  );
  return {
    ...evaluated,
    selection: {
      isPartial: true,
      hasBlock: (address) => blocks.has(address),
      hasObject: (address) => addresses.has(address),
    },
    evaluation: { ...evaluation, objects, outputs: [], deferred: new Set() },
  };
}

/** The part of an object's change that follows from ended access; undefined where there is none. */
function endedOnly(object: PlannedObject): PlannedObject | undefined {
  const { change, resource, config } = object;
  const { before, after, action } = change;
  if (action !== "update" || before === null || after === null || resource.kind === "token") return undefined;
  const endedBefore = endedIn(before);
  const newlyEnded = endedIn(after).filter((name) => !endedBefore.includes(name));
  if (newlyEnded.length === 0) return undefined;

  // Everything else stays as it is live, also where the declaration says otherwise.
  const { attributes } = resource.description;
  const days = endsIn(after);
  const until = { ...(isObject(before["permissions_until"]) ? before["permissions_until"] : {}) };
  const permissions = { ...(isObject(before["permissions"]) ? before["permissions"] : {}) };
  for (const right of newlyEnded.filter((name) => name !== ENDED_ACCESS)) {
    until[right] = days[right] ?? null;
    delete permissions[right];
  }
  const planned: Record<string, Value> = {
    ...before,
    permissions,
    permissions_until: Object.keys(until).length === 0 ? null : until,
    ended: [...endedBefore, ...newlyEnded],
  };
  if (newlyEnded.includes(ENDED_ACCESS)) planned["access_until"] = days[ENDED_ACCESS] ?? null;

  const proposal = {
    action: "update",
    planned,
    changes: diff(attributes, before, planned),
    replacedBy: [],
    findings: [],
  } as const;
  const { key, claim, observedRecord, declared: declaredNames, granted: grantedRights } = change;
  return {
    ...object,
    change: new ObjectChange(object, {
      ...{ action: "update", key, before, proposal, claim, observedRecord },
      ...{ declared: declaredNames, granted: grantedRights },
    }),
    proposal,
    recorded: [],
    findings: [],
    config: namingPartOf(config),
    isEndedOnly: true,
  };
}

function namingPartOf(config: ObjectValue): ObjectValue {
  return Object.fromEntries(
    NAMING_ATTRIBUTES.flatMap((name) => {
      const value = config[name] ?? null;
      return value !== null && isWhollyKnown(value) ? [[name, value]] : [];
    }),
  );
}
