/** Assembles the plan, as plain data, from the evaluated, planned and checked objects. */
import { accessChanges, type Plan, summaryOf } from "../plan";
import { worded, wordsFor } from "../problems";
import type { PlanParts, PlanFindings } from "./checks";
import type { PlannedDeletes } from "./deletes";
import { renames, unmanagedUsers } from "./diff/plan-remarks";
import { knownDrift } from "./drift/differences";
import { endingObjects, withoutEnd } from "./ended";
import type { Evaluated } from "./evaluate/stack";
import { hidingInDrift, hidingInEvaluated, hidingInOutput } from "./hidden-secrets";
import { usageIn } from "./snapshot/open";
import { namedTarget } from "./target";
import type { KnownSecrets } from "../lib/values";

export function assemblePlan(
  evaluated: Evaluated,
  parts: PlanParts,
  { warnings, notVerified }: PlanFindings,
  secrets: KnownSecrets,
): Plan {
  const { source, options, evaluation: result, selection, refusals } = evaluated;
  const { changes, deletes, contents, plannedAt, unended = [] } = parts;
  const { destroy = false, noPrune = false } = options;
  const { retained: retainedObjects } = deletes;
  // Undeclared users are deleted with their account. The plan shows them.
  const deletedWithAccount = contents.flatMap((one) => one.deletedWithAccount ?? []);
  const releasedChanges = endingObjects(result, plannedAt)
    .endings.filter(({ target, remembered: { key } }) =>
      deletes.released.some((one) => one.provider === target.provider && one.key === key),
    )
    .map(withoutEnd);
  const takenAt = result.targets[0]?.takenAt;
  return {
    stack: source.name,
    targets: result.targets.map(namedTarget),
    ...(takenAt !== undefined && { takenAt }),
    ...usageIn(result.targets, changes),
    destroy,
    partial: selection.isPartial,
    ...(options.onlyEnded === true && { onlyEnded: true, unended: unended.length }),
    noPrune,
    changes,
    retained: retainedObjects,
    deletedWithAccount,
    ...comparisons(evaluated, deletes),
    ...(releasedChanges.length > 0 && { released: releasedChanges }),
    access: accessChanges([...changes, ...deletedWithAccount, ...releasedChanges], plannedAt),
    outputs: destroy ? [] : result.outputs.map((one) => hidingInOutput(one, secrets)),
    evaluated: result.evaluated.map((one) => hidingInEvaluated(one, secrets)),
    warnings: worded(warnings, wordsFor(options.reader)),
    drift: onDemand(() => knownDrift(result).map((one) => hidingInDrift(one, secrets))),
    plannedAt: plannedAt.toISOString(),
    summary: summaryOf({ changes, deletedWithAccount, retained: retainedObjects }),
    notVerified: worded(notVerified, wordsFor(options.reader)),
    ...(refusals.length > 0 && { refused: worded(refusals, wordsFor(options.reader)) }),
  };
}

/** Only a whole plan compares everything that is declared with everything that is managed. */
function comparisons(
  { evaluation: result, selection, options }: Evaluated,
  { everywhere: { prunes, retained: retainedObjects } }: PlannedDeletes,
): Pick<Plan, "unmanagedUsers" | "renames"> {
  const isWhole = options.destroy !== true && !selection.isPartial && result.unread.length === 0;
  if (!isWhole) return { unmanagedUsers: [], renames: [] };
  const undeclaredRecords = [
    ...prunes.map(({ change, target }) => [target.origin, change.observedRecord.id] as const),
    ...retainedObjects.map(({ origin = "", id }) => [origin, id] as const),
  ];
  const { objects, targets } = result;
  return {
    unmanagedUsers: unmanagedUsers(objects, undeclaredRecords),
    renames: renames({ targets, objects, prunes, retained: retainedObjects }),
  };
}

function onDemand<T>(make: () => T): () => T {
  let cache: { readonly value: T } | undefined;
  return () => (cache ??= { value: make() }).value;
}
