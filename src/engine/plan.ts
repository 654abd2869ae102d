/** Leads from a stack to its plan, without a write; validates a stack without asking its service. */
import type { Plan } from "../plan";
import { type Diagnostic, type Finding, PlanRefused, worded, wordsFor } from "../problems";
import { assemblePlan } from "./assemble-plan";
import type { Prune } from "./change";
import { checkEnded, checkPlan, type PlanParts } from "./checks";
import { planDeletes, type ReleasedRecord } from "./deletes";
import { contentsOfDeletedAccounts } from "./diff/contents";
import { narrowToEnded, NO_DELETES } from "./ended";
import { movesOf } from "./moves";
import { type CodeDeclarations, declaredInOtherStacks, refuseDeclaredTwice } from "./other-stacks";
import { narrowToRecovered } from "./recover";
import { resendReplacedPasswords } from "./diff/passwords";
import { unwatchedEnds } from "./unwatched";
import { selectionOfRotation } from "./tokens/rotation";
import { providerConfigurations } from "./evaluate/providers";
import { evaluate, type Evaluated, evaluateStack } from "./evaluate/stack";
import { refuseUnmatchedNames } from "./load/selection";
import { noteDeclaredInCode, quietly } from "./noted-names";
import { load, type Loaded } from "./load/stack";
import {
  type PlanOptions,
  refuseIfFromSnapshot,
  type StackSource,
  withoutCredentialsIfFromSnapshot,
} from "./options";
import type { PlannedObject, Rotation } from "./planned-object";
import { Run } from "./run";
import { refuseSharedOwner } from "./shared-owner";

/** A stack with its plan: everything that the apply needs. */
export interface PlannedRun extends Evaluated {
  readonly run: Run;
  readonly plan: Plan;
  /** Declared objects that the apply carries out. */
  readonly objects: readonly PlannedObject[];
  readonly prunes: readonly Prune[];
  /** Records that the apply takes out of the state: their objects are released. */
  readonly released: readonly ReleasedRecord[];
  /** Why ended access stays, in a run that only removes ended access. */
  readonly unended: readonly Finding[];
  /** True if the run only rotates one named token. */
  readonly isRotation: boolean;
  /** Undefined in a run that only removes ended access. */
  readonly siblings: CodeDeclarations["siblings"] | undefined;
}

/**
 * @param rotation plans the rotation of this one token, and nothing else
 * @throws TenancyError; nothing has been written then
 */
export async function planStack(
  source: StackSource,
  chosenOptions: PlanOptions,
  rotation?: Rotation,
): Promise<PlannedRun> {
  const options = withoutCredentialsIfFromSnapshot(chosenOptions);
  refuseIfFromSnapshot(options, rotation !== undefined);
  const run = new Run(options, source.name);
  let loaded: Loaded | undefined;
  try {
    // The lock comes before the service is read, so that no other run of this state writes between the plan and its apply.
    loaded = await load(source, options);
    if (options.lockState === true)
      await run.reserveState(await providerConfigurations(loaded.stack, options));

    // Blocks are evaluated in the order of their references; `planObject` looks each declared object up, and compares it.
    const plannedAt = new Date();
    const isEndedOnly = options.onlyEnded === true;
    const isRecovery = options.recover === true;
    await refuseSharedOwner(loaded);
    const code = isEndedOnly ? undefined : await refuseDeclaredTwice(loaded, plannedAt);
    run.moves = movesOf(loaded, options.destroy === true ? undefined : code, plannedAt);
    const stackAlone = await evaluate(loaded, {
      run,
      plannedAt,
      rotation,
      ...(isEndedOnly && { tolerates: "objects" }),
    });
    const unwatched = await unwatchedEnds(loaded, run, plannedAt);
    const allFindings = [...stackAlone.evaluation.findings, ...unwatched];
    const wholeStack = { ...stackAlone, evaluation: { ...stackAlone.evaluation, findings: allFindings } };
    const evaluated =
      rotation !== undefined
        ? narrowToRotation(wholeStack, rotation, run)
        : isEndedOnly
          ? narrowToEnded(wholeStack, plannedAt)
          : isRecovery
            ? narrowToRecovered(wholeStack)
            : withResentPasswords(wholeStack, plannedAt);

    // The run changes the declared objects of the selection. It deletes objects that are no longer declared, or that `Deletion` or a
    // destroy names.
    const { evaluation, selection } = evaluated;
    const isChosen = ({ change }: PlannedObject) => selection.hasObject(change.address);
    const chosenObjects = options.destroy === true ? [] : evaluation.objects.filter(isChosen);
    const deletes = isEndedOnly || isRecovery ? NO_DELETES : await planDeletes(evaluated, run, plannedAt);
    const { prunes, released } = deletes;
    const contents = await contentsOfDeletedAccounts(prunes);

    // The plan is assembled before it is refused, because a refused plan is shown with the reasons. `--only` may name an object that is
    // only deleted, so its names are compared with the plan. Where a run removes only ended access, each object is refused alone.
    const chosenParts = partsOf(chosenObjects, { deletes, contents, plannedAt });
    const findings = isEndedOnly
      ? checkEnded(evaluated, chosenParts, run)
      : await checkPlan(evaluated, chosenParts, run);
    const unended = isEndedOnly ? findings.refusals : [];
    const refusedAddresses = new Set(unended.map(({ address }) => address));
    const objects = chosenObjects.filter(({ change }) => !refusedAddresses.has(change.address));
    const parts = { ...partsOf(objects, chosenParts), unended };
    const assembled = assemblePlan(evaluated, parts, findings, run.secrets);
    const plan = await withoutUsersOfOtherStacks(assembled, evaluated, run);
    if (findings.refusals.length > 0 && !isEndedOnly) {
      const refusal = new PlanRefused(findings.refusals);
      refusedPlans.set(refusal, plan);
      throw refusal;
    }
    refuseUnmatchedNames(evaluated.presumed, plan, evaluation.objects);
    const isRotation = rotation !== undefined;
    return {
      ...evaluated,
      ...{ run, plan, objects, prunes, released, unended, isRotation, siblings: code?.siblings },
    };
  } catch (error) {
    const { lockState = false, destroy = false, onlyEnded = false } = options;
    if (loaded !== undefined && lockState && run.state.isReserved && !destroy && !onlyEnded)
      await quietly(noteDeclaredInCode(loaded.source, run, options));
    await run.close();
    throw error;
  }
}

function partsOf(
  objects: readonly PlannedObject[],
  { deletes, contents, plannedAt }: Pick<PlanParts, "deletes" | "contents" | "plannedAt">,
): PlanParts {
  const changes = [...objects, ...deletes.prunes].map(({ change }) => change);
  return { objects, deletes, changes, contents, plannedAt };
}

/** A user whom another stack of the project declares is not unmanaged. The others are evaluated only where this plan has such a user. */
async function withoutUsersOfOtherStacks(plan: Plan, evaluated: Evaluated, run: Run): Promise<Plan> {
  if (plan.unmanagedUsers.length === 0) return plan;
  const { declaredElsewhere } = await declaredInOtherStacks(evaluated, run, new Date(plan.plannedAt));
  const unmanagedUsers = plan.unmanagedUsers.filter(
    ({ origin, key, id }) => declaredElsewhere({ origin }, { key, id })?.isCertain !== true,
  );
  return { ...plan, unmanagedUsers };
}

/** Plans declared passwords again. An earlier run may have set a temporary password to create a token, and not removed it. */
function withResentPasswords(evaluated: Evaluated, plannedAt: Date): Evaluated {
  const { evaluation, options } = evaluated;
  const { destroy = false, resetPasswords = false } = options;
  if (destroy) return evaluated;
  const objects = resendReplacedPasswords(evaluation.objects, { plannedAt, resetPasswords, destroy });
  return { ...evaluated, evaluation: { ...evaluation, objects } };
}

/** A rotation changes one token, so its apply reads no data source. @throws noSuchToken, tokenUndeclared, ambiguousToken */
function narrowToRotation(evaluated: Evaluated, rotation: Rotation, run: Run): Evaluated {
  const { evaluation } = evaluated;
  const selection = selectionOfRotation(evaluation.objects, rotation, run.stateDescription);
  return { ...evaluated, selection, evaluation: { ...evaluation, deferred: new Set() } };
}

/** Refused plans, by their errors. The error does not hold its plan, because printing an error prints its members. */
const refusedPlans = new WeakMap<Error, Plan>();

/** The plan that a check has stopped, to be shown with the reasons; undefined for any other error. It cannot be applied. */
export function refusedPlan(error: unknown): Plan | undefined {
  return error instanceof Error ? refusedPlans.get(error) : undefined;
}

/**
 * Evaluates a stack without asking its service. Values that only the service knows are unknown, and so are variables without a value.
 * @returns warnings
 * @throws InvalidConfiguration with every finding; sharedOwner
 */
export async function validateStack(
  source: StackSource,
  options: PlanOptions,
): Promise<readonly Diagnostic[]> {
  const plannedAt = new Date();
  const evaluated = await evaluateStack(source, options, { run: undefined, plannedAt });
  await refuseSharedOwner(evaluated);
  await refuseDeclaredTwice(evaluated, plannedAt);
  return worded(evaluated.evaluation.findings, wordsFor(options.reader));
}
