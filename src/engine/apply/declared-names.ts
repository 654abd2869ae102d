/** Notes the objects that stacks declare in the state: they are protected in runs that do not synthesize their stacks. */
import type { DeclaredNames } from "../../state";
import { isError } from "../../problems";
import { compareText, equal, isKnownText } from "../../lib/values";
import { namesAround } from "../other-stacks";
import type { PlannedRun } from "../plan";
import type { Run } from "../run";

/** Names of declared objects, by service and by stack. */
type NotedNames = ReadonlyMap<string, ReadonlyMap<string, DeclaredNames>>;

/** The names that the synthesized stacks declare, as far as they are not noted so. Names that are not known leave earlier ones in their place. */
export async function changedNames(planned: PlannedRun): Promise<NotedNames> {
  const { source, evaluation: result, strays, siblings, run, plan, refusals } = planned;
  const differences = new Map<string, ReadonlyMap<string, DeclaredNames>>();
  if (siblings === undefined) return differences;
  const own = [...result.objects.map(({ change, ...one }) => ({ ...one, key: change.key })), ...strays].map(
    ({ key, config, titleOf, target: { origin } }) => ({
      origin,
      title: titleOf(key),
      names: namesAround(key, config),
    }),
  );
  for (const origin of new Set(result.targets.map((target) => target.origin))) {
    const earlierNames = await run.state.declaredNames(origin);
    const differing = source.stacks.flatMap(({ name }): readonly (readonly [string, DeclaredNames])[] => {
      const isOwn = name === source.name;
      const { declarations, findings } = siblings.get(name) ?? { declarations: [], findings: [] };
      const here = (isOwn ? own : declarations).filter((one) => (one.origin ?? origin) === origin);
      const known = here.filter(({ names }) => names.every(isKnownText));
      const isWhole = isOwn ? !plan.partial && refusals.length === 0 : !findings.some(isError);
      const earlier = earlierNames.get(name) ?? [];
      const names = new Map(
        [
          ...(isWhole && known.length === here.length ? [] : earlier),
          ...known.map(({ title, names }) => [...new Set([title, ...names])]),
        ].map((one) => [JSON.stringify(one), one]),
      );
      const sortedNames = [...names].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
      return equal(earlier, sortedNames) ? [] : [[name, sortedNames]];
    });
    if (differing.length > 0) differences.set(origin, new Map(differing));
  }
  return differences;
}

/** Notes changed names in the locked state. */
export async function noteNames({ state }: Run, names: NotedNames): Promise<void> {
  for (const [origin, stacks] of names) await state.noteDeclaredNames(origin, stacks);
}

/** The stack declares nothing any more: a destroy has left nothing of it. */
export async function noteDestroyed({ run, source, evaluation: { targets } }: PlannedRun): Promise<void> {
  const nothing = new Map([[source.name, []]]);
  await noteNames(run, new Map(targets.map(({ origin }) => [origin, nothing])));
}
