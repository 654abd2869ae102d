import { frozen } from "../values";
import type { Plan } from "./plan";

/**
 * A plan that nobody can change between the look at it and its apply. But for the single changes of attributes: nothing is written by them, and
 * freezing them would be most of the work.
 * @returns the very plan
 */
export function frozenPlan(plan: Plan): Plan {
  for (const change of plan.changes) {
    // Settled ones freeze what they make when somebody asks.
    if (Object.isFrozen(change)) continue;
    frozen(change.before);
    frozen(change.after);
    Object.freeze(change);
  }
  Object.freeze(plan.changes);
  return frozen(plan);
}
