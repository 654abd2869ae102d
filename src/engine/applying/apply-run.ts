/** Carries a plan out: creates and updates as their order allows, prunes last, and only when all of those succeeded. */
import { schedule, type ApplyResult } from "../../apply";
import { placeOf, type Whereabouts } from "../../errors";
import { hasChanges, type OutputChange } from "../../plan";
import type { ApplyOptions } from "../options";
import type { PlannedRun } from "../plan-stack";
import { doubtfulTokens } from "../store/doubt";
import { Applier } from "./applier";
import { diagnose } from "./diagnose";
import { revokeLeftovers } from "./leftovers";
import { openPlaces, type Places } from "./open-places";
import { Progress } from "./progress";
import { pruneAll } from "./prune-all";
import { tasksOf } from "./tasks";
import { Values } from "./values";

const DEFAULT_PARALLELISM = 10;

/** @throws TenancyError where nothing was begun */
export async function applyRun(planned: PlannedRun, options: ApplyOptions): Promise<ApplyResult> {
  const { run, plan, options: planning } = planned;
  const progress = new Progress(options.onEvent);
  if (!isWork(planned)) return progress.result(plan.outputs);
  const signals = [options.signal ?? planning.signal, progress.unheard];
  const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
  run.services.shield();
  await run.store.lock({
    onWait: () => planning.onProgress?.("waiting for another run, which holds the credential store"),
  });
  try {
    const outputs = await carriedOut(planned, progress, signal);
    await unlocked(planned, progress);
    const result = progress.result(outputs);
    progress.requireHeard();
    return result;
  } finally {
    // What ended the run is told, and not that the lock could not be given back besides.
    await run.store.unlock().catch(() => undefined);
  }
}

/** @returns the outputs, as they are now */
async function carriedOut(
  planned: PlannedRun,
  progress: Progress,
  signal: AbortSignal,
): Promise<readonly OutputChange[]> {
  const { run, plan, options } = planned;
  const places = await openPlaces(run);
  await makeStore(planned, places);
  const values = new Values(planned, places);
  const concurrency = options.parallelism ?? DEFAULT_PARALLELISM;
  const applier = new Applier(planned, places, values, progress);
  await schedule(tasksOf(planned, applier, values, progress), concurrency, signal);
  await pruneAll(planned, { places, progress, concurrency, signal });
  if (progress.isFlawless) await revokeLeftovers(places.values(), progress);
  await saved(planned, progress);
  // What failed, or is no more, has no outputs that a reader could rely on.
  if (!progress.isFlawless || plan.destroy) return [];
  return values.outputs((error, block) => noteError(error, placeOf(block), progress));
}

/** What was done is done, even where the lock cannot be given back. It ends by itself, and others wait until then. */
async function unlocked({ run }: PlannedRun, progress: Progress): Promise<void> {
  try {
    await run.store.unlock();
  } catch (error) {
    for (const diagnostic of diagnose(error, {})) progress.note({ ...diagnostic, severity: "warning" });
  }
}

/** Before the first write: a run that is killed after it then needs no decision of the next one. */
async function makeStore({ run, walked }: PlannedRun, places: Places): Promise<void> {
  const missing = [...places.values()].filter(({ ledger }) => !ledger.exists);
  for (const { ledger, target } of missing) ledger.make(doubtfulTokens(target, walked));
  if (missing.length > 0) await run.store.save();
}

/** Whether there is anything to write, be it to the service or to the store, or a token to be checked. */
function isWork({ plan, objects, run }: PlannedRun): boolean {
  if (hasChanges(plan) || run.store.isToBeEncrypted) return true;
  if (objects.some(({ recorded, resource }) => recorded.length > 0 || resource.inventory === undefined))
    return true;
  return [...run.opened.values()].some(({ target }) => target.ledger.failedRevocations.list().length > 0);
}

/** What was done is done, even where the store cannot note it. */
async function saved({ run }: PlannedRun, progress: Progress): Promise<void> {
  try {
    await run.store.save();
  } catch (error) {
    noteError(error, {}, progress);
  }
}

function noteError(error: unknown, where: Whereabouts, progress: Progress): void {
  diagnose(error, where).forEach((diagnostic) => progress.note(diagnostic));
}
