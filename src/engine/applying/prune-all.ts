/** The deletes of a plan: all of them after the last create and update, each of what the plan saw. */
import { schedule, type Task } from "../../apply";
import { placeOf } from "../../errors";
import type { PlannedRun } from "../plan-stack";
import type { Prune } from "../planning/pruning/prune";
import { deleteObject } from "./delete-object";
import { diagnose } from "./diagnose";
import { placeFor, type Places } from "./open-places";
import type { Progress } from "./progress";
import { PruneTree } from "./prune-tree";
import { recheck, recheckContainer, type Rechecked } from "./recheck";

export interface PruneContext {
  readonly places: Places;
  readonly progress: Progress;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
}

export async function pruneAll(planned: PlannedRun, context: PruneContext): Promise<void> {
  const { prunes, options } = planned;
  const { progress, places, concurrency, signal } = context;
  if (prunes.length === 0) return;
  if (!progress.isFlawless) return skipAll(prunes, progress, "nothing is deleted after a failure");
  if (signal?.aborted === true) return skipAll(prunes, progress, "the run was stopped");
  const tree = new PruneTree(prunes);
  const rechecked = await recheck(prunes, places, options.allowNonempty === true);
  const tasks = prunes.map((prune): Task => {
    const isKept = tree.containersOf(prune).some((outer) => isRefused(rechecked.get(outer)));
    return {
      id: idOf(prune),
      // What cannot go says so itself, and does not wait for what is in it.
      after: isRefused(rechecked.get(prune)) ? [] : tree.inside(prune).map(idOf),
      run: async () => {
        if (!isKept) return remove(prune, rechecked.get(prune), tree, planned, context);
        progress.skip(prune.change, "what it belongs to cannot be deleted");
        return false;
      },
      skip: (because) =>
        progress.skip(
          prune.change,
          because === "failed" ? "something in it could not be deleted" : "the run was stopped",
        ),
    };
  });
  await schedule(tasks, concurrency, signal);
}

async function remove(
  prune: Prune,
  rechecked: Rechecked | undefined,
  tree: PruneTree,
  { run, options }: PlannedRun,
  { places, progress }: PruneContext,
): Promise<boolean> {
  const { change } = prune;
  const where = placeOf(change);
  const place = placeFor(places, change.provider);
  const { ledger, connection } = place;
  return progress.deed(
    change,
    "delete",
    async () => {
      if (rechecked !== undefined && "refusal" in rechecked) throw rechecked.refusal;
      const diagnostics = await deleteObject(prune, {
        connection,
        ledger,
        allowNonempty: options.allowNonempty === true,
        seq: tree.inside(prune).length > 0 ? await recheckContainer(prune, place) : rechecked?.seq,
        userGoes: tree.containersOf(prune).length > 0,
        save: () => run.store.save(),
      });
      return {
        id: change.sighting?.id,
        diagnostics: diagnostics.map((one) => ({ ...where, ...one })),
      };
    },
    (error) => diagnose(error, where),
  );
}

function skipAll(prunes: readonly Prune[], progress: Progress, reason: string): void {
  prunes.forEach(({ change }) => progress.skip(change, reason));
}

function isRefused(rechecked: Rechecked | undefined): boolean {
  return rechecked !== undefined && "refusal" in rechecked;
}

/** Two services may each have an object of the same address that is not declared. */
function idOf({ change }: Prune): string {
  return `${change.provider} ${change.address}`;
}
