/** From a walked stack to a plan: prunes, guards, access changes, summary. */
import { PlanRefused, type Diagnostic } from "../../errors";
import {
  accessChanges,
  judge,
  type Change,
  type Contents,
  type Draft,
  type Permits,
  type Plan,
  type Retained,
} from "../../plan";
import { contentsOf as accountContents } from "../../resources/account/emptiness";
import type { Stack } from "../../stack";
import { prune, type Prune } from "./prunes";
import type { PlannedObject } from "./planned-object";
import type { Selection } from "./selection";
import { surveyedOf } from "./survey";
import type { Target } from "./target";
import type { Walked } from "./walk";

export interface MakePlanRequest {
  readonly name: string;
  readonly stack: Stack;
  readonly walked: Walked;
  readonly selection: Selection;
  readonly permits: Permits;
  readonly destroy: boolean;
  readonly plannedAt: Date;
  /** Findings of the store: open intents, tokens that could not be revoked. */
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
  const objects = walked.objects.filter(({ change }) => selection.hasObject(change.address));
  const pruning = pruneAll(request);
  const prunes = pruning.prunes.filter(({ change }) => isPruned(change, selection, destroy));
  const declared = destroy ? [] : objects;
  const changes = [
    ...declared.map(({ change }) => change),
    ...inOrderOfDeletion(prunes).map(({ change }) => change),
  ];
  const contents = await contentsOf(prunes);
  const draft: Draft = {
    changes,
    retained: pruning.retained,
    surveyed: walked.targets.map(surveyedOf),
    permits,
    destroy,
    declaresNothing: walked.objects.length === 0,
    contents,
    preventDestroy: new Set(
      walked.objects
        .filter(({ block }) => block.lifecycle.preventDestroy)
        .map(({ change }) => change.address),
    ),
  };
  const refusals = [...pruning.diagnostics.filter(isError), ...judge(draft)];
  if (refusals.length > 0) throw new PlanRefused(refusals);
  const warnings = [...request.warnings, ...walked.diagnostics, ...pruning.diagnostics].filter(
    (one) => !isError(one),
  );
  return {
    plan: planOf(request, changes, pruning.retained, warnings),
    objects: declared,
    prunes: inOrderOfDeletion(prunes),
  };
}

/** A partial run prunes nothing but what it names; a partial destroy, nothing that it leaves out. */
function isPruned(change: Change, selection: Selection, _destroy: boolean): boolean {
  return !selection.isPartial || selection.hasObject(change.address);
}

function pruneAll({ walked, stack, permits, destroy }: MakePlanRequest) {
  const groups = new Map<string, Target[]>();
  for (const target of walked.targets) {
    const identity = JSON.stringify([target.origin, target.owners.current]);
    groups.set(identity, [...(groups.get(identity) ?? []), target]);
  }
  const prunings = [...groups.values()].map((targets) =>
    prune({
      targets,
      declared: walked.objects.filter(({ target }) => targets.includes(target)),
      removed: stack.removed.filter(({ provider = "tenancy" }) =>
        targets.some((target) => target.provider === provider),
      ),
      permits,
      destroy,
    }),
  );
  return {
    prunes: prunings.flatMap(({ prunes }) => prunes),
    retained: prunings.flatMap(({ retained }): readonly Retained[] => retained),
    diagnostics: prunings.flatMap(({ diagnostics }) => diagnostics),
  };
}

const ORDER = ["authorization", "user_profile", "account"];

/** Tokens are revoked before their user, users deleted before their account. */
function inOrderOfDeletion(prunes: readonly Prune[]): readonly Prune[] {
  const rank = ({ change }: Prune) => ORDER.indexOf(change.description.name);
  return [...prunes].sort((a, b) => rank(a) - rank(b));
}

/** What is in the accounts that are to go, asked of the service before anything is touched. */
async function contentsOf(prunes: readonly Prune[]): Promise<readonly Contents[]> {
  const accounts = prunes.filter(({ change }) => change.description.name === "account");
  return Promise.all(
    accounts.map(async ({ target, change }) => {
      const id = change.sighting?.id ?? "";
      const record = target.snapshot.account(id);
      if (record === undefined) return { accountId: id, findings: [], others: 0 };
      const { storage, strangers } = await accountContents(
        target.connection,
        record,
        target.snapshot.profiles,
      );
      return { accountId: id, findings: [...storage, ...strangers], others: strangers.length };
    }),
  );
}

function planOf(
  { name, walked, destroy, plannedAt }: MakePlanRequest,
  changes: readonly Change[],
  retained: readonly Retained[],
  warnings: readonly Diagnostic[],
): Plan {
  const count = (action: Change["action"]) => changes.filter((change) => change.action === action).length;
  return {
    stack: name,
    targets: walked.targets.map(({ provider, origin, owners, caller }) => ({
      provider,
      origin,
      owner: owners.current,
      caller,
    })),
    destroy,
    changes,
    retained,
    access: accessChanges(changes),
    outputs: destroy ? [] : walked.outputs,
    evaluated: walked.evaluated,
    warnings,
    plannedAt: plannedAt.toISOString(),
    summary: {
      create: count("create"),
      update: count("update"),
      replace: count("replace"),
      delete: count("delete"),
      none: count("none"),
      retained: retained.length,
      adopted: changes.filter(({ claim }) => claim === "adopted").length,
    },
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}
