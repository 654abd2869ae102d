import type { Change } from "../../../plan";
import type { Selection } from "../selection";
import { goingIds, type Prune } from "./prune";

/** What a partial run prunes: nothing but what it names. What goes without its account does not go because of it. */
export function chosenOf(prunes: readonly Prune[], selection: Selection, destroy: boolean): readonly Prune[] {
  const chosen = prunes.filter(({ change }) => selection.hasObject(change.address));
  const going = goingIds(chosen);
  const hasContainer = chosen.some(({ resource }) => resource.container !== undefined);
  // The sighting of a token does not say in which account its user is.
  const goesAlong = ({ sighting }: Change) =>
    sighting?.accountId === undefined ? hasContainer : going.has(sighting.accountId);
  return chosen.map((prune) => {
    const { change } = prune;
    if (change.reason !== "cascade" || goesAlong(change)) return prune;
    return { ...prune, change: { ...change, reason: destroy ? "destroy" : "undeclared" } };
  });
}
