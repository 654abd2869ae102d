/** From a walked stack to a plan: prunes, guards, access changes, summary. */
import { AbsenceUnproven, isError, PlanRefused, type Diagnostic } from "../../errors";
import {
  accessChanges,
  judge,
  type Change,
  type Draft,
  type Permits,
  type Plan,
  type Retained,
  type Summary,
} from "../../plan";
import { ownersAt } from "../../ownership";
import type { Stack } from "../../stack";
import { depthOf } from "./families";
import { chosenOf } from "./pruning/chosen";
import { contentsOf, listingOthers } from "./pruning/contents";
import type { Prune } from "./pruning/prune";
import { prune, type Pruning } from "./pruning/pruner";
import type { PlannedObject } from "./planned-object";
import type { Selection } from "./selection";
import { surveyedOf } from "./survey";
import type { Target } from "./target";
import type { Walked } from "./walked";

export interface MakePlanRequest {
  readonly name: string;
  readonly stack: Stack;
  readonly walked: Walked;
  readonly selection: Selection;
  readonly permits: Permits;
  readonly destroy: boolean;
  /** What is undeclared stays, and is listed. */
  readonly noPrune: boolean;
  readonly plannedAt: Date;
  /** What stops the plan besides the guards. */
  readonly refusals: readonly Diagnostic[];
  /** What is worth knowing besides the findings in the stack itself. */
  readonly warnings: readonly Diagnostic[];
}

export interface MadePlan {
  readonly plan: Plan;
  /** Declared objects that the apply carries out. */
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
}

/** @throws PlanRefused where a guard stops it */
export async function makePlan(request: MakePlanRequest): Promise<MadePlan> {
  const { walked, selection, permits, destroy } = request;
  const pruning = pruneAll(request);
  const chosen = inOrderOfDeletion(
    selection.isPartial ? chosenOf(pruning.prunes, selection, destroy) : pruning.prunes,
  );
  const contents = await contentsOf(chosen);
  const prunes = listingOthers(chosen, contents);
  const objects = destroy
    ? []
    : selection.isPartial
      ? walked.objects.filter(({ change }) => selection.hasObject(change.address))
      : walked.objects;
  const changes = [...objects, ...prunes].map(({ change }) => change);
  const retained = selection.isPartial ? [] : pruning.retained;
  const draft: Draft = {
    changes,
    retained,
    surveyed: walked.targets.map(surveyedOf),
    permits,
    destroy,
    asOf: request.plannedAt,
    declaresNothing: walked.objects.length === 0 && !selection.isPartial,
    contents,
    preventDestroy: new Set(
      walked.objects
        .filter(({ block }) => block.lifecycle.preventDestroy)
        .map(({ change }) => change.address),
    ),
  };
  const refusals = [
    ...request.refusals,
    ...pruning.diagnostics.filter(isError),
    ...unreadable(request, prunes),
    ...judge(draft),
  ];
  if (refusals.length > 0) throw new PlanRefused(refusals);
  const warnings = [...request.warnings, ...walked.diagnostics, ...pruning.diagnostics].filter(
    (one) => !isError(one),
  );
  return { plan: planOf(request, changes, retained, warnings), objects, prunes };
}

/** A partial run may leave out what it cannot evaluate, but then it cannot tell what is undeclared. */
function unreadable(
  { walked: { unread } }: MakePlanRequest,
  prunes: readonly Prune[],
): readonly Diagnostic[] {
  if (unread.length === 0) return [];
  const doubtful = prunes.filter(({ change }) => change.reason !== "removed" && change.reason !== "destroy");
  return doubtful.flatMap(({ change: { address, key } }) =>
    new AbsenceUnproven(
      `cannot tell whether "${key}" is declared, because ${unread.join(", ")} cannot be evaluated`,
      { address },
    ).toDiagnostics(),
  );
}

/** Providers of one service whose owners, present or previous, meet share what is declared and what is ours. */
function pruneAll({ walked, stack, permits, destroy, noPrune }: MakePlanRequest): Pruning {
  let groups: { readonly owners: readonly string[]; readonly targets: readonly Target[] }[] = [];
  for (const target of walked.targets) {
    const owners = ownersAt(target.origin, target.owners);
    const meeting = groups.filter((group) => group.owners.some((owner) => owners.includes(owner)));
    groups = [
      ...groups.filter((group) => !meeting.includes(group)),
      {
        owners: [...meeting.flatMap((group) => group.owners), ...owners],
        targets: [...meeting.flatMap((group) => group.targets), target],
      },
    ];
  }
  const prunings = groups.map(({ targets }) => {
    const ofGroup = new Set<Target>(targets);
    const providers = new Set(targets.map(({ provider }) => provider));
    return prune({
      targets,
      declared: walked.objects.filter(({ target }) => ofGroup.has(target)),
      removed: stack.removed.filter(({ provider = "tenancy" }) => providers.has(provider)),
      permits,
      destroy,
      noPrune,
    });
  });
  return {
    prunes: prunings.flatMap(({ prunes }) => prunes),
    retained: prunings.flatMap(({ retained }) => retained),
    diagnostics: prunings.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Tokens are revoked before their user, users deleted before their account: from the inside out. */
function inOrderOfDeletion(prunes: readonly Prune[]): readonly Prune[] {
  const families = new Set(prunes.map(({ resource }) => resource));
  const depths = new Map([...families].map((family) => [family, depthOf(family)]));
  const depth = ({ resource }: Prune) => depths.get(resource) ?? 0;
  // Infinity less itself is no number.
  return [...prunes].sort((a, b) => (depth(a) === depth(b) ? 0 : depth(a) < depth(b) ? 1 : -1));
}

function planOf(
  { name, walked, selection, destroy, noPrune, plannedAt }: MakePlanRequest,
  changes: readonly Change[],
  retained: readonly Retained[],
  warnings: readonly Diagnostic[],
): Plan {
  return {
    stack: name,
    targets: walked.targets.map(({ provider, origin, owners, caller }) => ({
      provider,
      origin,
      owner: owners.current,
      keyed: owners.keys !== undefined,
      caller,
    })),
    destroy,
    partial: selection.isPartial,
    noPrune,
    changes,
    retained,
    access: accessChanges(changes),
    outputs: destroy ? [] : walked.outputs,
    evaluated: walked.evaluated,
    warnings,
    plannedAt: plannedAt.toISOString(),
    summary: summaryOf(changes, retained),
  };
}

function summaryOf(changes: readonly Change[], retained: readonly Retained[]): Summary {
  const counts = { create: 0, update: 0, replace: 0, delete: 0, none: 0, adopted: 0 };
  for (const { action, claim } of changes) {
    counts[action]++;
    if (claim === "adopted") counts.adopted++;
  }
  return { ...counts, retained: retained.length };
}
