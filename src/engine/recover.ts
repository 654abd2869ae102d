/** The run that records declared objects which are live and have no record, after the state was lost (`tenancy recover`). */
import { ObjectChange } from "./change";
import type { Evaluated } from "./evaluate/stack";
import type { PlannedObject } from "./planned-object";

/** The recovered objects are only recorded: a later apply sends the changes of the declaration. The run is about no other object. */
export function narrowToRecovered(evaluated: Evaluated): Evaluated {
  const { evaluation, selection } = evaluated;
  const isRecovered = ({ change }: PlannedObject) =>
    change.claim === "imported" && selection.hasObject(change.address);
  const objects = evaluation.objects.map((object) => (isRecovered(object) ? recorded(object) : object));
  const addresses = new Set(objects.filter(isRecovered).map(({ change }) => change.address));
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
    ...{ recorded: [], findings: [] },
  };
}
