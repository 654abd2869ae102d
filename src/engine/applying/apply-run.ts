/** Carries a plan out: creates and updates as their order allows, prunes last, and only when all of those succeeded. */
import { schedule, type ApplyResult, type Task } from "../../apply";
import {
  Internal,
  MovedOn,
  PlanRefused,
  TenancyError,
  type Diagnostic,
  type Whereabouts,
} from "../../errors";
import { hasChanges, type Change } from "../../plan";
import type { Block } from "../../stack";
import type { ApplyOptions } from "../options";
import type { PlannedRun } from "../plan-stack";
import { refusedTokens } from "../planning/refused-tokens";
import type { PlannedObject } from "../planning/planned-object";
import { Applier } from "./applier";
import { Progress } from "./progress";
import { pruneAll } from "./prune-all";
import { revokeLeftovers } from "./leftovers";

const DEFAULT_PARALLELISM = 10;

/** @throws TenancyError where nothing was begun */
export async function applyRun(planned: PlannedRun, options: ApplyOptions): Promise<ApplyResult> {
  const progress = new Progress(options.onEvent);
  if (!needsApply(planned)) return progress.result(planned.plan.outputs);
  const { run } = planned;
  await run.store.lock();
  try {
    await verifyTokens(planned);
    const applier = await Applier.open(planned, progress, options.signal);
    const concurrency = planned.options.parallelism ?? DEFAULT_PARALLELISM;
    await schedule(tasksOf(planned, applier, progress), concurrency, options.signal);
    await pruneAll(planned, applier, progress, options.signal);
    if (progress.isFlawless) await revokeLeftovers(applier, progress);
    await run.store.save();
    return progress.result(progress.isFlawless ? applier.outputs() : planned.plan.outputs);
  } finally {
    await run.store.unlock();
  }
}

/** Whether there is anything to write, be it to the service or to the store. */
function needsApply({ plan, objects, run }: PlannedRun): boolean {
  if (hasChanges(plan) || objects.some(({ recorded }) => recorded.length > 0)) return true;
  return [...run.opened.values()].some(({ target }) => target.ledger.failedRevocations.list().length > 0);
}

/** Tokens are trusted from the store at plan, and checked one by one before an apply (design §8). */
async function verifyTokens({ objects, run, options }: PlannedRun): Promise<void> {
  if (options.verifyTokens) return;
  const moved: Diagnostic[] = [];
  for (const { target } of run.opened.values()) {
    const refused = await refusedTokens(target);
    for (const { change } of objects) {
      const serial = change.before?.["serial"];
      if (change.description.name !== "authorization" || typeof serial !== "string" || !refused.has(serial))
        continue;
      const error = new MovedOn("token", change.key, "the service refuses it");
      moved.push(...error.toDiagnostics({ address: change.address }));
    }
  }
  if (moved.length > 0) throw new PlanRefused(moved);
}

/** One task for each object, and one for each block that ends when its objects have. */
function tasksOf(planned: PlannedRun, applier: Applier, progress: Progress): readonly Task[] {
  const byBlock = new Map<string, PlannedObject[]>();
  for (const object of planned.objects) {
    const { address } = object.block;
    byBlock.set(address, [...(byBlock.get(address) ?? []), object]);
  }
  const users = usersByLogin(planned.objects);
  return planned.loaded.stack.blocks.flatMap((block): Task[] => {
    const objects = byBlock.get(block.address) ?? [];
    const before = block.dependencies.map(blockTask);
    const tasks = objects.map((object): Task => ({
      id: object.instance.address,
      after: [...before, ...userOf(object, users)],
      run: () => applier.apply(object),
      skip: (because) => skip(object.change, because, progress),
    }));
    return [...tasks, blockEnd(block, before, objects, applier)];
  });
}

function blockEnd(
  block: Block,
  before: readonly string[],
  objects: readonly PlannedObject[],
  applier: Applier,
): Task {
  return {
    id: blockTask(block.address),
    after: [...before, ...objects.map(({ instance }) => instance.address)],
    run: () => applier.finishBlock(block),
    skip: () => undefined,
  };
}

function blockTask(address: string): string {
  return `block ${address}`;
}

function skip(change: Change, because: "failed" | "stopped", progress: Progress): void {
  if (change.action === "none") return;
  progress.skip(change, because === "failed" ? "something that it depends on failed" : "the run was stopped");
}

/** A token waits for the declared account or user of its login, also where it does not refer to it. */
function usersByLogin(objects: readonly PlannedObject[]): ReadonlyMap<string, string> {
  return new Map(
    objects
      .filter(({ resource }) => resource.inventory !== undefined)
      .map(({ change, instance }) => [change.key, instance.address]),
  );
}

function userOf({ resource, change }: PlannedObject, users: ReadonlyMap<string, string>): readonly string[] {
  if (resource.inventory !== undefined) return [];
  const address = users.get(change.key.slice(0, change.key.lastIndexOf("/")));
  return address === undefined ? [] : [address];
}

/** What an error says, placed at the object that it is about. */
export function diagnose(error: unknown, where: Whereabouts): readonly Diagnostic[] {
  return (
    error instanceof TenancyError
      ? error
      : new Internal(error instanceof Error ? error.message : String(error))
  ).toDiagnostics(where);
}
