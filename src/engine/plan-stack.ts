/** Plans one stack: everything up to the first write, which it never does. */
import { AbsentStore, StoreElsewhere } from "../errors";
import type { Permits } from "../plan";
import { evaluateStack } from "./evaluate-stack";
import type { GivenValue } from "./inputs/variable-values";
import type { LoadedStack } from "./load-stack";
import type { PlanOptions, StackSource } from "./options";
import { makePlan, type MadePlan } from "./planning/make-plan";
import { refusedMinting } from "./planning/minting";
import { changedSecrets, withVerifiedPasswords } from "./planning/passwords";
import { selectionOfRotation, type Rotation } from "./planning/rotation";
import type { Walked } from "./planning/walked";
import { Run } from "./run";
import { refuseSharedOwner } from "./shared-owner";
import type { Workspace } from "./workspace";

/** A plan with everything that its apply needs. */
export interface PlannedRun extends MadePlan {
  readonly source: StackSource;
  readonly options: PlanOptions;
  readonly loaded: LoadedStack;
  /** What the variables were given, by name. */
  readonly given: ReadonlyMap<string, GivenValue>;
  readonly walked: Walked;
  readonly workspace: Workspace;
  readonly run: Run;
}

/**
 * @param rotation plans the rotation of this one token, and nothing else
 * @throws TenancyError; nothing has been written then
 */
export async function planStack(
  source: StackSource,
  options: PlanOptions,
  rotation?: Rotation,
): Promise<PlannedRun> {
  const run = new Run(options);
  try {
    const { destroy = false, noPrune = false, resetPasswords = false } = options;
    const plannedAt = new Date();
    const evaluated = await evaluateStack(source, options, { run, plannedAt, rotation });
    const { loaded, workspace, walked, given } = evaluated;
    const selection =
      rotation === undefined
        ? evaluated.selection
        : selectionOfRotation(walked.objects, rotation, run.store.description);
    await refuseSharedOwner(loaded, options);
    const { objects, diagnostics } =
      destroy || rotation !== undefined
        ? { objects: walked.objects, diagnostics: [] }
        : await withVerifiedPasswords(walked.objects, { plannedAt, resetPasswords, destroy });
    // What a rotation is not about is not read either.
    const looked = { ...walked, objects, ...(rotation !== undefined && { deferred: new Set<string>() }) };
    const carriedOut = destroy ? [] : objects.filter(({ change }) => selection.hasObject(change.address));
    const refusals = await refusedMinting(carriedOut, run.store.description, options);
    // The store that is missed may be this one, under another owner or address.
    const isStoreMissed = refusals.some(({ code }) => code === AbsentStore.code);
    const elsewhere = isStoreMissed
      ? walked.diagnostics.filter(({ code }) => code === StoreElsewhere.code)
      : [];
    const made = await makePlan({
      name: source.name,
      stack: loaded.stack,
      walked: looked,
      selection,
      permits: permitsOf(options),
      destroy,
      noPrune,
      plannedAt,
      refusals: [...refusals, ...elsewhere],
      warnings: [...run.remarks(), ...diagnostics, ...(await changedSecrets(carriedOut))],
    });
    return { ...made, source, options, loaded, given, walked: looked, workspace, run };
  } catch (error) {
    await run.close();
    throw error;
  }
}

function permitsOf(options: PlanOptions): Permits {
  return {
    accountDeletion: options.allowAccountDeletion ?? false,
    nonempty: options.allowNonempty ?? false,
    selfChange: options.allowSelfChange ?? false,
    maxDeletes: options.maxDeletes,
  };
}
