/** Guards an evaluated stack: adds what it no longer declares, asks what the guards need to know, judges the whole, and makes the plan. */
import {
  accessChanges,
  type AccountContents,
  type Change,
  type Draft,
  judge,
  type Plan,
  type Retained,
  summaryOf,
} from "../plan";
import { notVerified, type Finding, isError, PlanRefused, worded, wordsFor } from "../problems";
import { contentsOf, warnUnknownUsage } from "./diff/contents";
import { prunesInSelection, prune, type Pruning } from "./diff/prune";
import { unmanagedUsers, renames, withActiveCounts } from "./diff/plan-remarks";
import { endedTokensOfOthers, tokensWithoutUser } from "./diff/token";
import { knownDrift } from "./drift/differences";
import type { Evaluated } from "./evaluate/stack";
import { depthOf } from "./families";
import { hidingInDrift, hidingInEvaluated, hidingInOutput } from "./hidden-secrets";
import type { Run } from "./run";
import { usageIn } from "./snapshot/open";
import { namedTarget, type PlannedObject, type Prune, type ReadTarget } from "./stages";
import { surveyedOf } from "./survey";
import type { KnownSecrets } from "../lib/values";

/** What the third stage adds: the guards have let the plan pass. */
export interface Guarded {
  readonly plan: Plan;
  /** Declared objects that the apply carries out. */
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
}

/** What was found besides the stack's own findings, and besides what the guards say. */
export interface FurtherFindings {
  /** What stops the plan. */
  readonly refusals: readonly Finding[];
  /** What stops its apply. */
  readonly unproven: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** @throws PlanRefused where a guard stops the plan */
export async function guard(
  evaluated: Evaluated,
  further: FurtherFindings,
  { run, plannedAt }: { readonly run: Run; readonly plannedAt: Date },
): Promise<Guarded> {
  const coverage = coverageOf(evaluated);
  const answers = await ask(coverage);
  const judgement = judgementOn({ evaluated, further, coverage, answers, plannedAt });
  const plan = planOf({ evaluated, coverage, answers, judgement, plannedAt, secrets: run.secrets });
  if (judgement.refusals.length > 0) {
    const error = new PlanRefused(judgement.refusals);
    refused.set(error, plan);
    throw error;
  }
  return { plan, objects: coverage.objects, prunes: coverage.prunes };
}

/** No member of the error: whoever prints an error prints its members. */
const refused = new WeakMap<Error, Plan>();

/** What a guard has stopped, to be shown beside its reasons; undefined for any other error. It cannot be applied. */
export function refusedPlan(error: unknown): Plan | undefined {
  return error instanceof Error ? refused.get(error) : undefined;
}

// Coverage: which declared objects the plan is about, and which undeclared ones of ours it deletes or retains.

interface Coverage {
  readonly objects: readonly PlannedObject[];
  /** In the order in which they are deleted. */
  readonly prunes: readonly Prune[];
  readonly retained: readonly Retained[];
  /** The changes of the objects and of the prunes. */
  readonly changes: readonly Change[];
  /** Every undeclared object, those outside the selection too. */
  readonly pruning: Pruning;
}

function coverageOf(evaluated: Evaluated): Coverage {
  const { walked, selection, options } = evaluated;
  const { destroy = false } = options;
  const pruning = pruningOf(evaluated);
  const prunes = inOrderOfDeletion(
    selection.isPartial ? prunesInSelection(pruning.prunes, selection, destroy) : pruning.prunes,
  );
  const objects = destroy
    ? []
    : selection.isPartial
      ? walked.objects.filter(({ change }) => selection.hasObject(change.address))
      : walked.objects;
  const changes = [...objects, ...prunes].map(({ change }) => change);
  return { objects, prunes, changes, retained: selection.isPartial ? [] : pruning.retained, pruning };
}

function pruningOf({ walked, stack, options }: Evaluated): Pruning {
  const { destroy = false, noPrune = false } = options;
  const prunings = walked.targets.map((target) => {
    const pruning = prune({
      target,
      declared: walked.objects.filter((object) => object.target.provider === target.provider),
      removed: stack.removed.filter(({ provider = "tenancy" }) => provider === target.provider),
      permits: options,
      destroy,
      noPrune,
      reader: options.reader,
    });
    return { ...pruning, retained: withActiveCounts(pruning.retained, target) };
  });
  return {
    prunes: prunings.flatMap(({ prunes }) => prunes),
    retained: prunings.flatMap(({ retained }) => retained),
    findings: prunings.flatMap(({ findings }) => findings),
  };
}

/** Tokens are revoked before their user, and users deleted before their account. */
function inOrderOfDeletion(prunes: readonly Prune[]): readonly Prune[] {
  const families = new Set(prunes.map(({ resource }) => resource));
  const depths = new Map([...families].map((family) => [family, depthOf(family)]));
  const depth = ({ resource }: Prune) => depths.get(resource) ?? 0;
  // Infinity less itself is no number.
  return [...prunes].sort((a, b) => (depth(a) === depth(b) ? 0 : depth(a) < depth(b) ? 1 : -1));
}

// Answers: what the guards need to know of the service. Nothing is asked where the plan keeps everything that is ours.

interface Answers {
  /** Contents of the accounts to be deleted. */
  readonly contents: readonly AccountContents[];
  /** Users of others who cease with these accounts. */
  readonly deletedWithAccount: readonly Change[];
}

async function ask({ prunes }: Coverage): Promise<Answers> {
  const contents = await contentsOf(prunes);
  const deletedWithAccount = contents.flatMap(({ deletedWithAccount: others = [] }) => others);
  return { contents, deletedWithAccount };
}

// The judgement: what stops the plan, what stops its apply alone, and what the user has to know.

interface Judgement {
  readonly refusals: readonly Finding[];
  readonly unproven: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface Judged {
  readonly evaluated: Evaluated;
  readonly further: FurtherFindings;
  readonly coverage: Coverage;
  readonly answers: Answers;
  readonly plannedAt: Date;
}

function judgementOn(judged: Judged): Judgement {
  const { evaluated, further, coverage, answers } = judged;
  const { walked } = evaluated;
  const { changes, prunes, pruning } = coverage;
  const findings = judge(draftOf(judged));
  const unproven = [...further.unproven, ...findings.filter(isAbsence)].map(walked.hide);
  return {
    refusals: [
      ...further.refusals,
      ...pruning.findings.filter(isError),
      ...unreadable(walked, prunes),
      ...(evaluated.options.destroy === true ? [] : tokensWithoutUser(walked.objects, prunes)),
      ...findings.filter((one) => !isAbsence(one)),
    ].map(walked.hide),
    unproven,
    warnings: [
      ...unproven.map((one) => ({ ...one, severity: "warning" as const })),
      ...further.warnings.map(walked.hide),
      ...walked.findings,
      ...[
        ...pruning.findings,
        ...endedTokensOfOthers(walked.targets, prunes),
        ...warnUnknownUsage(changes, answers.contents),
      ].map(walked.hide),
    ].filter((one) => !isError(one)),
  };
}

function draftOf({ evaluated, coverage, answers, plannedAt }: Judged): Draft {
  const { walked, selection, options } = evaluated;
  return {
    changes: coverage.changes,
    retained: coverage.retained,
    surveyed: walked.targets.map((target) => surveyedOf(target, walked.targets)),
    permits: options,
    destroy: options.destroy ?? false,
    asOf: plannedAt,
    declaresNothing: walked.objects.length === 0 && !selection.isPartial,
    contents: answers.contents,
    preventDestroy: new Set(
      walked.objects
        .filter(({ block }) => block.lifecycle.preventDestroy)
        .map(({ change }) => change.address),
    ),
  };
}

/** A plan is shown to a caller who cannot see everything, too; its apply, with a caller of its own, is refused. */
function isAbsence({ code }: Finding): boolean {
  return code === notVerified.code;
}

/** A partial run may leave out blocks that it cannot evaluate, but then it cannot tell what is undeclared. */
function unreadable({ unread }: Evaluated["walked"], prunes: readonly Prune[]): readonly Finding[] {
  if (unread.length === 0) return [];
  const doubtful = prunes.filter(({ change }) => change.reason !== "removed" && change.reason !== "destroy");
  return doubtful.map(({ change: { address, key } }) =>
    notVerified.at(
      `cannot tell whether "${key}" is declared, because ${unread.join(", ")} cannot be evaluated`,
      { address },
    ),
  );
}

// The plan.

interface Planned extends Omit<Judged, "further"> {
  readonly judgement: Judgement;
  readonly secrets: KnownSecrets;
}

function planOf({ evaluated, coverage, answers, judgement, plannedAt, secrets }: Planned): Plan {
  const { source, options, walked, selection } = evaluated;
  const { destroy = false, noPrune = false } = options;
  const { changes, retained } = coverage;
  const { deletedWithAccount } = answers;
  const sections = { retained, deletedWithAccount, ...comparisonsIn(evaluated, coverage) };
  return {
    stack: source.name,
    targets: walked.targets.map((target) => {
      const { previous } = target.owners;
      return { ...namedTarget(target), ...(previous.length > 0 && { previousOwners: previous }) };
    }),
    ...takenAtOf(walked.targets),
    ...usageIn(walked.targets, changes),
    destroy,
    partial: selection.isPartial,
    noPrune,
    changes,
    ...sections,
    access: accessChanges([...changes, ...deletedWithAccount], plannedAt),
    outputs: destroy ? [] : walked.outputs.map((one) => hidingInOutput(one, secrets)),
    evaluated: walked.evaluated.map((one) => hidingInEvaluated(one, secrets)),
    warnings: worded(judgement.warnings, wordsFor(options.reader)),
    drift: onDemand(() => knownDrift(walked).map((one) => hidingInDrift(one, secrets))),
    plannedAt: plannedAt.toISOString(),
    summary: summaryOf({ changes, ...sections }),
    notVerified: worded(judgement.unproven, wordsFor(options.reader)),
  };
}

/** What only a whole plan can tell, since it compares everything that is declared with everything that is ours. */
function comparisonsIn(
  { walked, selection, options }: Evaluated,
  { pruning, retained }: Coverage,
): Pick<Plan, "unmanagedUsers" | "renames"> {
  const isWhole = options.destroy !== true && !selection.isPartial && walked.unread.length === 0;
  if (!isWhole) return { unmanagedUsers: [], renames: [] };
  const undeclared = [
    ...pruning.prunes.map(({ change, target }) => [target.origin, change.observedRecord.id] as const),
    ...retained.map(({ origin = "", id }) => [origin, id] as const),
  ];
  const { objects, targets } = walked;
  return {
    unmanagedUsers: unmanagedUsers(objects, undeclared),
    renames: renames({ targets, objects, prunes: pruning.prunes, retained }),
  };
}

function onDemand<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function takenAtOf([target]: readonly ReadTarget[]): Pick<Plan, "takenAt"> {
  return target?.takenAt === undefined ? {} : { takenAt: target.takenAt };
}
