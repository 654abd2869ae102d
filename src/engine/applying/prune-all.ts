/** The deletes of a plan: all of them after the last create and update, each of what the plan saw. */
import type { Diagnostic } from "../../errors";
import type { PlannedRun } from "../plan-stack";
import type { Prune } from "../planning/prunes";
import { diagnose } from "./apply-run";
import type { Applier } from "./applier";
import { deleteObject } from "./delete-object";
import type { Progress } from "./progress";
import { requireAllUnchanged } from "./unchanged-prunes";

export async function pruneAll(
  { prunes, options, run }: PlannedRun,
  applier: Applier,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (prunes.length === 0) return;
  if (!progress.isFlawless) {
    prunes.forEach(({ change }) => progress.skip(change, "nothing is deleted after a failure"));
    return;
  }
  const moved = await requireAllUnchanged(prunes, applier);
  const permits = {
    accountDeletion: options.allowAccountDeletion ?? false,
    nonempty: options.allowNonempty ?? false,
    selfChange: options.allowSelfChange ?? false,
    maxDeletes: options.maxDeletes,
  };
  for (const prune of prunes) {
    const { change } = prune;
    const where = { address: change.address };
    if (signal?.aborted === true) {
      progress.skip(change, "the run was stopped");
      continue;
    }
    if (isBlocked(prune, progress, prunes)) {
      progress.skip(change, "something in it could not be deleted");
      continue;
    }
    const refusal = moved.get(change.address);
    await progress.deed(
      change,
      "delete",
      async () => {
        if (refusal !== undefined) throw refusal;
        const { ledger } = applier.place(change.provider);
        const diagnostics = await deleteObject(prune, {
          connection: applier.connection(change.provider),
          ledger,
          permits,
          hasTouchedInside: hasInside(prune, prunes),
          save: () => run.store.save(),
        });
        return {
          id: change.sighting?.id,
          diagnostics: diagnostics.map((one): Diagnostic => ({ ...where, ...one })),
        };
      },
      (error) => diagnose(error, where),
    );
  }
}

/** Whether something that belongs to it should have been deleted before, and was not. */
function isBlocked(prune: Prune, progress: Progress, prunes: readonly Prune[]): boolean {
  return prunes.some((other) => belongsTo(other, prune) && progress.hasFailed(other.change));
}

/** Whether this run deletes something that belongs to it first, which may count as a change of it. */
function hasInside(prune: Prune, prunes: readonly Prune[]): boolean {
  return prunes.some((other) => belongsTo(other, prune));
}

/** Tokens belong to their user, users to their account. */
function belongsTo({ change }: Prune, { change: outer }: Prune): boolean {
  if (change.description.name === "authorization") return change.key.startsWith(`${outer.key}/`);
  return change.description.name === "user_profile" && change.sighting?.accountId === outer.sighting?.id;
}
