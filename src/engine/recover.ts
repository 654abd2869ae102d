/** The run that records declared objects which are live and have no record, after the store was lost (`tenancy recover`). */
import { ObjectChange } from "./change";
import type { Evaluated } from "./evaluate/stack";
import type { PlannedObject } from "./planned-object";

/** The recovered objects alone. They are only recorded: a later apply sends what the declaration changes. */
export function narrowToRecovered(evaluated: Evaluated): Evaluated {
  const { evaluation } = evaluated;
  const objects = evaluation.objects.filter(({ change }) => change.claim === "imported").map(recorded);
  const addresses = new Set(objects.map(({ change }) => change.address));
  return {
    ...evaluated,
    selection: {
      isPartial: true,
      hasBlock: (address) => addresses.has(address),
      hasObject: (address) => addresses.has(address),
    },
    evaluation: { ...evaluation, objects, outputs: [], deferred: new Set(), changing: new Set() },
  };
}

function recorded(object: PlannedObject): PlannedObject {
  const { change } = object;
  const { key, claim, observedRecord, granted } = change;
  return {
    ...object,
    change: new ObjectChange(object, {
      ...{ action: "none", key, before: change.before, claim, observedRecord, granted },
    }),
    ...{ proposal: undefined, recorded: [], findings: [] },
  };
}
