/** Notes the objects that stacks declare in the state: they are protected in runs that do not synthesize their stacks. */
import { isError } from "../../problems";
import { differingNames, noteNames, type StackNames } from "../noted-names";
import { namesAround } from "../other-stacks";
import type { PlannedRun } from "../plan";

/** The names that the synthesized stacks declare, as far as they are not noted so. */
export async function changedNames(planned: PlannedRun): ReturnType<typeof differingNames> {
  const { source, evaluation: result, strays, siblings, run, plan, refusals } = planned;
  if (siblings === undefined) return new Map();
  const own = [...result.objects.map(({ change, ...one }) => ({ ...one, key: change.key })), ...strays].map(
    ({ key, config, titleOf, target: { origin } }) => ({
      origin,
      title: titleOf(key),
      names: namesAround(key, config),
    }),
  );
  const namesByStack = new Map<string, StackNames>(
    [...siblings].map(([name, { declarations, findings }]) => [
      name,
      { declarations, isWhole: !findings.some(isError) },
    ]),
  );
  namesByStack.set(source.name, { declarations: own, isWhole: !plan.partial && refusals.length === 0 });
  const origins = new Set(result.targets.map(({ origin }) => origin));
  return differingNames(run, origins, source.stacks, namesByStack);
}

/** The stack declares nothing any more: a destroy has left nothing of it. */
export async function noteDestroyed({ run, source, evaluation: { targets } }: PlannedRun): Promise<void> {
  const nothing = new Map([[source.name, []]]);
  await noteNames(run.state, new Map(targets.map(({ origin }) => [origin, nothing])));
}
