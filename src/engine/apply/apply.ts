/** Applies a plan: creates and updates in the order of their dependencies, then deletes if all of those succeeded. */
import { type ApplyResult, hasChanges, type OutputChange } from "../../plan";
import { asWarning, plannedFromSnapshot, PlanRefused, unrevokedToken, whereaboutsOf } from "../../problems";
import type { Block } from "../../stack";
import { hasSomethingToNote, noteUntouched } from "../entries/untouched";
import { ObjectWrites } from "../entries/object-write";
import type { ApplyOptions } from "../options";
import type { PlannedRun } from "../plan";
import { forgetNeedless, TokenIntents } from "../tokens/intents";
import { possiblyIssuedTokens } from "../tokens/possibly-issued";
import type { WriteTargets } from "../target";
import { lockOptionsOf } from "../state";
import { noteAccepted } from "../tokens/refusals";
import { revokeNoted } from "../tokens/revocations";
import { noteNames, quietly, saveNames } from "../noted-names";
import { changedNames, noteDestroyed } from "./declared-names";
import { pruneAll } from "./delete";
import { type ApplyContext, hasWork } from "./object";
import { StoredTokenCheck, takeAwayTemporaryPasswords } from "./passwords";
import { Progress } from "./progress";
import { schedule } from "./schedule";
import { tasksOf } from "./tasks";
import { Values } from "./values";

const DEFAULT_PARALLELISM = 10;

/** @throws TenancyError where nothing was begun */
export async function applyStack(planned: PlannedRun, options: ApplyOptions): Promise<ApplyResult> {
  const { run, plan, options: planOptions } = planned;
  if (plan.takenAt !== undefined) throw plannedFromSnapshot.error(plan.takenAt);
  if (plan.notVerified !== undefined && plan.notVerified.length > 0) throw new PlanRefused(plan.notVerified);
  const progress = new Progress(options.onEvent, planOptions.reader, planned.evaluation.hide);
  planned.unended.forEach((finding) => progress.note(finding));
  const isWhole = planned.refusals.length === 0;
  for (const one of planned.refusals) progress.note(one);
  const names = await changedNames(planned);
  if (planOptions.recover === true || !hasSomethingToDo(planned)) {
    // The last version of a run on a branch says so, also where nothing changes.
    if (isWhole && planOptions.recover !== true) run.state.noteApplied();
    // A run about a part of the stack makes no state for that.
    const mayNote = !plan.partial || [...run.opened.values()].some(({ target }) => target.part.exists);
    if ((mayNote && names.size > 0) || hasSomethingToNote(planned, run.opened))
      await saveNotes(planned, progress, names);
    else await quietly(saveNames(run, names, planOptions));
    return resultOf(progress, plan.outputs);
  }
  const stop = options.signal ?? planOptions.signal;
  const signal = stop === undefined ? progress.outputLost : AbortSignal.any([stop, progress.outputLost]);
  const concurrency = planOptions.parallelism ?? DEFAULT_PARALLELISM;
  // A stop lets requests end from here on, because the answer to a write matters.
  run.services.letRequestsEnd(signal);
  await run.state.lock(lockOptionsOf(planOptions));
  try {
    // The state is saved before the first write. If this run is killed, the next one finds the state, and needs no `--init-state`.
    // `ObjectWrites` notes each write as begun, and `TokenIntents` each token that is to be created.
    await noteNames(run.state, names);
    const writeTargets = await run.writeTargets();
    makeMissingStateParts(planned, writeTargets);
    const writes = new ObjectWrites(planned, writeTargets);
    const intents = new TokenIntents(planned.objects, writeTargets);
    await (writesToService(planned) ? run.state.saveFirst() : run.state.save());

    const values = new Values(planned, writeTargets);
    const storedTokens = new StoredTokenCheck(planned, writeTargets, progress);
    const requiredApproval = options.requireApproval ?? "never";
    const states = { writeTargets, writes, intents };
    const context: ApplyContext = { planned, ...states, values, progress, storedTokens, requiredApproval };
    // Creates and updates, in the order of their references. `writeObject` sends the change of one object, such as a new e-mail address.
    await schedule(tasksOf(context), concurrency, signal);
    if (await storedTokens.tryThoseOfChangedUsers()) await saveState(planned, progress);

    // A delete is the only irreversible change, so it waits for everything else.
    if (planned.prunes.length > 0) await pruneAll(context, { concurrency, signal });
    const isEndedOnly = planOptions.onlyEnded === true;
    if (progress.isFlawless && !isEndedOnly) await retryRevocations(writeTargets, progress);
    const changedUsers = signal.aborted || isEndedOnly ? [] : await takeAwayTemporaryPasswords(context);

    // The state forgets the writes that the run did not reach, and notes the objects that stay as they are.
    writes.endUnstarted();
    intents.endUnstarted();
    noteUntouched(planned, writeTargets, changedUsers);
    if (planOptions.verifyTokens === true) [...writeTargets.values()].forEach(noteAccepted);
    if (progress.isFlawless && isWhole) run.state.noteApplied();
    if (plan.destroy && progress.isFlawless && !plan.partial && plan.retained.length === 0)
      await noteDestroyed(planned);
    await saveState(planned, progress, true);

    // If anything failed, or the stack is destroyed, no output is reported, because readers could not rely on it.
    const noteFailure = (error: unknown, block: Block) => progress.noteError(error, whereaboutsOf(block));
    const outputs = progress.isFlawless && !plan.destroy ? values.outputs(noteFailure) : [];
    // A failed unlock is only a warning: the changes are saved, and the lock ends by itself. Other runs wait until then.
    await run.state.unlock().catch((error: unknown) => progress.noteWarning(error));
    return resultOf(progress, outputs);
  } finally {
    // If the run failed, its own error is reported, and a failed unlock is not.
    await run.state.unlock().catch(() => undefined);
  }
}

/** @throws the error of the listener that cannot take the result */
function resultOf(progress: Progress, outputs: readonly OutputChange[]): ApplyResult {
  const result = progress.result(outputs);
  progress.throwIfOutputLost();
  return result;
}

/** An apply without changes notes its result. If the state cannot be written, nothing is lost, so it warns. */
async function saveNotes(
  planned: PlannedRun,
  progress: Progress,
  names: Parameters<typeof noteNames>[1],
): Promise<void> {
  const { run } = planned;
  try {
    await run.state.lock(lockOptionsOf(planned.options));
    try {
      await noteNames(run.state, names);
      const writeTargets = await run.writeTargets();
      makeMissingStateParts(planned, writeTargets);
      noteUntouched(planned, writeTargets);
      if (planned.refusals.length === 0 && planned.options.recover !== true) run.state.noteApplied();
      await run.state.saveLast();
    } finally {
      await run.state.unlock();
    }
  } catch (error) {
    if (planned.options.recover === true) progress.noteError(error, {});
    else progress.noteWarning(error);
  }
}

/** True if there is anything to write, be it to the service or to the state, or a token to be checked. */
function hasSomethingToDo(planned: PlannedRun): boolean {
  if (writesToService(planned)) return true;
  const { objects, run, options } = planned;
  return options.onlyEnded !== true && (run.state.isToBeEncrypted || objects.some(hasWork));
}

function writesToService({ plan, run, options }: PlannedRun): boolean {
  if (hasChanges(plan)) return true;
  if (options.onlyEnded === true) return false;
  return [...run.opened.values()].some(
    ({ target: { part } }) =>
      part.failedRevocations.list().length + part.temporaryPasswords.list().length > 0,
  );
}

/**
 * Makes the parts of the state that this run is the first to need, each with the tokens that a lost state may know. In the others, it forgets
 * needless notes of creations.
 */
function makeMissingStateParts({ evaluation: result }: PlannedRun, writeTargets: WriteTargets): void {
  for (const { part, target } of writeTargets.values())
    if (!part.exists) part.make(possiblyIssuedTokens(target, result));
    else forgetNeedless(part, target);
}

/** The changes are made even if the state cannot note them. */
async function saveState({ run }: PlannedRun, progress: Progress, isLast = false): Promise<void> {
  try {
    await (isLast ? run.state.saveLast() : run.state.save());
  } catch (error) {
    progress.noteError(error, {});
  }
}

/** Tries unfinished revocations again: leftovers of an earlier run are warnings, those of this run are errors. */
async function retryRevocations(writeTargets: WriteTargets, progress: Progress): Promise<void> {
  for (const { connection, part, target } of writeTargets.values()) {
    const earlier = new Set(target.part.failedRevocations.list().map(({ serial }) => serial));
    const { warnings } = await revokeNoted(connection, part, part.failedRevocations.list());
    warnings.forEach((one) => progress.note(one));
    for (const { login, name, serial } of part.failedRevocations.list()) {
      const error = unrevokedToken.error({ login, name, serial });
      const isExpected = earlier.has(serial) || connection.tokensRevocable === false;
      const findings = isExpected ? asWarning(error) : error.toFindings();
      findings.forEach((one) => progress.note(one));
    }
  }
}
