/** Plans the deletes of a run: managed objects that no stack declares any more, objects of `new Deletion(…)`, and objects of a destroy. */
import type { Retained } from "../plan";
import type { Finding } from "../problems";
import type { Prune } from "./change";
import { withActiveCounts } from "./diff/plan-remarks";
import { prune, prunesInSelection } from "./diff/prune";
import { idOfRecords } from "./diff/record";
import type { Evaluated } from "./evaluate/stack";
import { depthOf } from "./families";
import type { Run } from "./run";
import type { DeclaredElsewhere } from "./change";
import { declaredInOtherStacks } from "./other-stacks";

export interface PlannedDeletes {
  /** The deletes that the run carries out, in this order. */
  readonly prunes: readonly Prune[];
  /** Retained objects that are no longer declared. A partial run lists none. */
  readonly retained: readonly Retained[];
  /** The state's records of objects that `new Release(…)` names: the apply forgets them. */
  readonly released: readonly ReleasedRecord[];
  readonly findings: readonly Finding[];
  /** The same without regard to the selection. */
  readonly everywhere: { readonly prunes: readonly Prune[]; readonly retained: readonly Retained[] };
}

export async function planDeletes(evaluated: Evaluated, run: Run, plannedAt: Date): Promise<PlannedDeletes> {
  const { evaluation: result, stack, options, selection, strays } = evaluated;
  const { destroy = false, noPrune = false, reader } = options;
  // One owner has one provider configuration of a service, so each provider configuration is pruned by itself.
  const pruneAll = (declaredElsewhere: DeclaredElsewhere) =>
    result.targets.map((target) => {
      const { provider } = target;
      const isHere = (one: { readonly provider: string | undefined }) =>
        (one.provider ?? "tenancy") === provider;
      const { retained: retainedObjects, ...rest } = prune({
        target,
        declared: result.objects.filter((object) => object.target.provider === provider),
        removed: stack.removals.filter(isHere),
        released: stack.releases.filter(isHere),
        mayRetain: stack.blocks.some((block) => block.kind === "resource" && !block.lifecycle.destroy),
        declaredElsewhere,
        refused: strays
          .filter((one) => one.target.origin === target.origin)
          .map(({ found }) => idOfRecords(found)),
        permits: options,
        destroy,
        noPrune,
        reader,
      });
      return { ...rest, provider, retained: withActiveCounts(retainedObjects, target) };
    });
  // Other stacks are evaluated only where something depends on it: they may declare an object that the plan deletes, or says how to delete.
  let ofProviders = pruneAll(() => undefined);
  let unknown: readonly Finding[] = [];
  if (ofProviders.some(({ prunes, retained: { length } }) => prunes.length > 0 || length > 0)) {
    const others = await declaredInOtherStacks(evaluated, run, plannedAt);
    ofProviders = pruneAll(others.declaredElsewhere);
    unknown = others.unknown;
  }
  const prunes = ofProviders.flatMap((one) => one.prunes);
  const retainedObjects = ofProviders.flatMap((one) => one.retained);
  const chosenPrunes = selection.isPartial ? prunesInSelection(prunes, selection, destroy) : prunes;
  return {
    prunes: inOrderOfDeletion(chosenPrunes),
    retained: selection.isPartial ? [] : retainedObjects,
    released: selection.isPartial
      ? []
      : ofProviders.flatMap(({ provider, released }) => released.map((key) => ({ provider, key }))),
    findings: [
      ...ofProviders.flatMap(({ findings }) => findings),
      ...(chosenPrunes.length > 0 ? unknown : []),
    ],
    everywhere: { prunes, retained: retainedObjects },
  };
}

/** A record of the state, by the provider configuration of its part and its key there. */
export interface ReleasedRecord {
  readonly provider: string;
  readonly key: string;
}

/** Tokens are revoked before their user, and users deleted before their account. */
function inOrderOfDeletion(prunes: readonly Prune[]): readonly Prune[] {
  const families = new Set(prunes.map(({ resource }) => resource));
  const depths = new Map([...families].map((family) => [family, depthOf(family)]));
  const depth = ({ resource }: Prune) => depths.get(resource) ?? 0;
  // Infinity less itself is no number.
  return [...prunes].sort((a, b) => (depth(a) === depth(b) ? 0 : depth(a) < depth(b) ? 1 : -1));
}
