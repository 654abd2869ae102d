/** Plans one stack: everything up to the first write, which it never does. */
import type { Permits } from "../plan";
import { evaluateStack } from "./evaluate-stack";
import type { LoadedStack } from "./load-stack";
import type { PlanOptions, StackSource } from "./options";
import { makePlan, type MadePlan } from "./planning/make-plan";
import { refusedMinting } from "./planning/minting";
import { changedSecrets, withVerifiedPasswords } from "./planning/passwords";
import { Run } from "./run";
import { refuseSharedOwner } from "./shared-owner";
import type { Walked } from "./walking/walking";
import type { Workspace } from "./workspace";

/** A plan with everything that its apply needs. */
export interface PlannedRun extends MadePlan {
  readonly source: StackSource;
  readonly options: PlanOptions;
  readonly loaded: LoadedStack;
  readonly walked: Walked;
  readonly workspace: Workspace;
  readonly run: Run;
}

/** @throws TenancyError; nothing has been written then */
export async function planStack(source: StackSource, options: PlanOptions): Promise<PlannedRun> {
  const run = new Run(options);
  try {
    const { destroy = false, resetPasswords = false } = options;
    const plannedAt = new Date();
    const { loaded, workspace, selection, walked } = await evaluateStack(source, options, { run, plannedAt });
    await refuseSharedOwner(loaded, options);
    const { objects, diagnostics } = destroy
      ? { objects: walked.objects, diagnostics: [] }
      : await withVerifiedPasswords(walked.objects, { plannedAt, resetPasswords, destroy });
    const looked = { ...walked, objects };
    const carriedOut = destroy ? [] : objects.filter(({ change }) => selection.hasObject(change.address));
    const made = await makePlan({
      name: source.name,
      stack: loaded.stack,
      walked: looked,
      selection,
      permits: permitsOf(options),
      destroy,
      plannedAt,
      refusals: await refusedMinting(carriedOut, run.store.description, options),
      warnings: [...run.remarks(), ...diagnostics, ...(await changedSecrets(carriedOut))],
    });
    return { ...made, source, options, loaded, walked: looked, workspace, run };
  } catch (error) {
    await run.close();
    throw error;
  }
}

export function permitsOf(options: PlanOptions): Permits {
  return {
    accountDeletion: options.allowAccountDeletion ?? false,
    nonempty: options.allowNonempty ?? false,
    selfChange: options.allowSelfChange ?? false,
    maxDeletes: options.maxDeletes,
  };
}
