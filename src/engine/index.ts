/**
 * The embedded engine as a library: plans a synthesized stack against a live service, and carries plans out. No console, no exit, no
 * implicit environment. Public, and under semantic versioning.
 */
import {
  type ApplyResult,
  type ApprovalLevel,
  approvalNeeds,
  type DriftReport,
  frozenPlan,
  type OutputChange,
  type Plan,
} from "../plan";
import type { Diagnostic } from "../problems";
import { inOrderOfCreation, type ManifestEntry, readManifest } from "../stack";
import { isWhollyKnown, type Value } from "../lib/values";
import { applyStack } from "./apply/apply";
import { changedNames } from "./apply/declared-names";
import { quietly, saveNames } from "./noted-names";
import { demandApproval, requiredApproval } from "./approval";
import { absentStates } from "./tokens/possibly-issued";
import { type DriftOptions, lookForDrift } from "./drift/drift";
import { evaluateStack } from "./evaluate/stack";
import {
  type ApplyOptions,
  type PlanOptions,
  type StackSource,
  withoutCredentialsIfFromSnapshot,
} from "./options";
import { hidingInOutput } from "./hidden-secrets";
import { type PlannedRun, planStack, validateStack } from "./plan";
import { Run } from "./run";
import { differencesOf, promiseOf, requireSame, savedPlan } from "./saved";

export {
  type AccessChange,
  type Action,
  type ApplyEvent,
  type ApplyResult,
  type Approval,
  type ApprovalLevel,
  approvalNeeds,
  type ApprovalNeeds,
  type ApprovalVerdict,
  type Change,
  type Operation,
  type DeleteReason,
  type Drift,
  type DriftKind,
  type DriftReport,
  type DriftStatus,
  type EvaluatedObject,
  hasChanges,
  judgeApproval,
  type OutputChange,
  type Plan,
  changesSince,
  readApprovals,
  readReport,
  type Report,
  type ReportChange,
  type ReportChanges,
  type ReportedAccount,
  type ReportedService,
  type ReportedToken,
  type ReportedUser,
  type ReportFinding,
  type ReportQuestion,
  type Ownership,
  type Retained,
  type ObservedRecord,
  type Summary,
  type Target,
} from "../plan";
export {
  ApprovalNeeded,
  type Diagnostic,
  InvalidConfiguration,
  PlanRefused,
  TenancyError,
  type Location,
} from "../problems";
export { newStateKey } from "../state";
export type { Annotation, ManifestEntry } from "../stack";
export { type LiveOptions, type RecordedService, snapshotRecords } from "./snapshot/file";
export { type SnapshotOptions, takeSnapshot } from "./snapshot/take";
export { report, type ReportOptions } from "./report";
export { doctor, type Examination } from "./doctor";
export { type Exported, exportLive, type ExportOptions } from "./export";
export type { ExportLanguage } from "../export";
export type { Check } from "./doctor-service";
export { acceptPrivileges, type AcceptOptions } from "./drift/accept";
export type { DriftOptions } from "./drift/drift";
export { unsetVariables } from "./load/stack";
export { refusedPlan } from "./plan";
export { joinedPlans, readPlans, type ShownPlan, splitPlans } from "./shown";
export type {
  ApplyOptions,
  PlanOptions,
  ProgressShare,
  StackSource,
  StateOptions,
  VariableArgument,
  VariableArguments,
} from "./options";
export {
  type KeptToken,
  type KeptTokens,
  listTokens,
  type PendingTokenCreation,
  type PendingRevocation,
  type PreviousToken,
  readToken,
  type TokenSecret,
} from "./tokens/list";
export {
  acceptState,
  copyState,
  initState,
  moveInState,
  rekeyState,
  retireStack,
  stateStatus,
  type StateStatus,
  unlockState,
} from "./state-care";
export { findToken, forgetUnknownTokens, revokeToken, type TokenRevocation } from "./tokens/revoke";

/** The run that planning has opened, for the apply of that plan. */
const runs = new WeakMap<Plan, PlannedRun>();

/**
 * Plans a stack; sends only GET requests and the login.
 * @param options most callers need only `environment` and `projectFolder`
 * @returns the plan for {@link apply}; {@link close} it if it is not applied
 * @throws TENANCY_SYNTHESIS_FAILED, TENANCY_UNKNOWN_NAME if the stack cannot be read; InvalidConfiguration with every finding, PlanRefused
 *   with every refusal, and the errors of the service
 */
export async function plan(stack: StackSource, options: PlanOptions = {}): Promise<Plan> {
  return kept(await planStack(stack, options));
}

/**
 * Applies a plan, once. The result contains failed and remaining changes.
 * @param plan made by {@link plan}, {@link planSaved} or {@link planRotation} in this process
 * @throws TenancyError before the first write: the state is locked, a token is no longer valid …
 * @throws ApprovalNeeded if {@link ApplyOptions.approvals} does not cover all pairs of the plan; the plan can still be applied
 * @throws TypeError for a plan of another origin, or one that was applied or closed before
 */
export async function apply(plan: Plan, options: ApplyOptions = {}): Promise<ApplyResult> {
  const planned = runOf(plan);
  const requireApproval = levelFor(planned, options);
  try {
    demandApproval(plan.stack, () => approvalNeeds(plan), requireApproval, options);
  } catch (error) {
    if (plan.takenAt === undefined)
      await quietly(changedNames(planned).then((names) => saveNames(planned.run, names, planned.options)));
    throw error;
  }
  runs.delete(plan);
  try {
    return await applyStack(planned, { ...options, requireApproval });
  } finally {
    await planned.run.close();
  }
}

/** Closes the connections and the lock of a plan that is not applied. */
export async function close(plan: Plan): Promise<void> {
  const planned = runs.get(plan);
  runs.delete(plan);
  await planned?.run.close();
}

/** The objects and other parts in which two plans of one stack differ, in a few words each; none where they are the same. Neither may be closed yet. */
export function planDifferences(first: Plan, second: Plan): readonly string[] {
  // These marks are kept nowhere, so that secrets need no digest.
  const plain = (secret: string) => secret;
  return differencesOf(promiseOf(runOf(first), plain), promiseOf(runOf(second), plain));
}

/** A plan as a file to be reviewed, and applied later with {@link planSaved}. Holds no secret. */
export function savePlan(plan: Plan): string {
  return savedPlan(runOf(plan));
}

/**
 * Plans the changes of a saved plan again, with its flags. Writes nothing, with one exception: if {@link PlanOptions.verifyTokens} found an ended token, the
 * state notes it for the next plan.
 * @param app the app's stacks; the plan names its stack
 * @throws TENANCY_PLAN_OUTDATED if the plan would differ now; TENANCY_BROKEN_PLAN
 */
export async function planSaved(
  text: string,
  app: Omit<StackSource, "name">,
  options: PlanOptions = {},
): Promise<Plan> {
  return kept(await requireSame(text, app, options));
}

/**
 * Checks the configuration alone; makes no requests.
 * @param options only the options of variables and provider settings count
 * @returns warnings
 * @throws TENANCY_SYNTHESIS_FAILED, TENANCY_UNKNOWN_NAME; InvalidConfiguration with every finding, TENANCY_SHARED_OWNER
 */
export async function validate(
  stack: StackSource,
  options: PlanOptions = {},
): Promise<readonly Diagnostic[]> {
  return validateStack(stack, options);
}

/**
 * The outputs of a stack, evaluated against the live service. Secrets included, each marked as sensitive.
 * @param options as {@link plan} takes them; `name`: the only output that matters, of which alone it is asked why it is unknown
 * @throws TENANCY_SYNTHESIS_FAILED, TENANCY_UNKNOWN_NAME, InvalidConfiguration, and the errors of the service; TENANCY_STATE_ABSENT where an
 *   output is unknown and the state that would know it may be lost
 */
export async function outputs(
  stack: StackSource,
  { name, ...givenOptions }: PlanOptions & { readonly name?: string } = {},
): Promise<readonly OutputChange[]> {
  const options = withoutCredentialsIfFromSnapshot(givenOptions);
  const run = new Run(options, stack.name);
  try {
    const { evaluation: result } = await evaluateStack(stack, options, { run, plannedAt: new Date() });
    const requestedOutputs = result.outputs.filter((one) => name === undefined || one.name === name);
    // Reasons to refuse the apply are reported here, since there is no "apply first" then.
    if (options.initState !== true && requestedOutputs.some(({ after }) => !isWhollyKnown(after as Value)))
      for (const error of absentStates(result.objects, run.stateDescription).values()) throw error;
    return result.outputs.map((output) => hidingInOutput(output, run.secrets));
  } finally {
    await run.close();
  }
}

/**
 * Compares live objects with the declaration and with the result of the last apply. Sends only GET requests and the login, writes nothing, and takes no
 * lock. Checks each token of the state with the service.
 * @returns every difference and its origin: outside Tenancy, or the declaration
 * @throws `TENANCY_STATE_LOCKED` if other runs keep writing the state meanwhile; and the errors of {@link plan}, except those of guards
 */
export async function drift(stack: StackSource, options: DriftOptions = {}): Promise<DriftReport> {
  return lookForDrift(stack, options);
}

/**
 * Plans a new token for a declared one of the state, in place; the old one stays valid for as long as its declaration says. Nothing
 * else is changed by the apply.
 * @param token its name, `login/name` or serial number
 * @param options `compromised`: the apply revokes the old one and those before it, until the service refuses each
 * @throws TENANCY_UNKNOWN_NAME, TENANCY_TOKEN_UNDECLARED, and as {@link plan}
 */
export async function planRotation(
  stack: StackSource,
  token: string,
  { compromised = false, ...options }: PlanOptions & { readonly compromised?: boolean } = {},
): Promise<Plan> {
  return kept(await planStack(stack, options, { token, compromised }));
}

/**
 * The stacks that an app has synthesized.
 * @param outdir the app's `cdktf.out`
 * @returns each after its dependencies, and otherwise in the order in which the app created them
 * @throws TENANCY_SYNTHESIS_FAILED if the manifest is missing or unreadable
 */
export async function listStacks(outdir: string): Promise<readonly ManifestEntry[]> {
  return inOrderOfCreation(await readManifest(outdir));
}

/** Approval is for changes of the code. An explicit rotation by name needs approval only if the caller requires it. */
function levelFor({ options, isRotation }: PlannedRun, { requireApproval }: ApplyOptions): ApprovalLevel {
  // Access with an end was granted until a day, and that was approved.
  if (options.onlyEnded === true) return "never";
  return requiredApproval(requireApproval, isRotation ? {} : options.environment);
}

function kept(planned: PlannedRun): Plan {
  const plan = frozenPlan(planned.plan);
  runs.set(plan, planned);
  return plan;
}

function runOf(plan: Plan): PlannedRun {
  const planned = runs.get(plan);
  if (planned === undefined)
    throw new TypeError("this plan was not made by plan(), or has been applied or closed");
  return planned;
}
