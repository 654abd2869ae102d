/** Notes the declared objects of stacks in the state: they are protected in runs that do not synthesize their stacks. */
import type { DeclaredNames } from "../state";
import { TenancyError } from "../problems";
import { compareText, equal, isKnownText } from "../lib/values";
import type { PlanOptions, StackSource } from "./options";
import { declaredInCode, type StackDeclaration } from "./other-stacks";
import type { Run } from "./run";
import { lockOptionsOf } from "./state";

/** Names of declared objects, by service and by stack. */
type NotedNames = ReadonlyMap<string, ReadonlyMap<string, DeclaredNames>>;

export interface StackNames {
  readonly declarations: readonly Pick<StackDeclaration, "origin" | "title" | "names">[];
  /** True if the stack declares nothing else. */
  readonly isWhole: boolean;
}

/** Names that are not known leave earlier ones in their place. */
export async function differingNames(
  run: Run,
  origins: ReadonlySet<string>,
  stacks: readonly { readonly name: string }[],
  namesByStack: ReadonlyMap<string, StackNames>,
): Promise<NotedNames> {
  const differences = new Map<string, ReadonlyMap<string, DeclaredNames>>();
  for (const origin of origins) {
    const earlierNames = await run.state.declaredNames(origin);
    const differing = stacks.flatMap(({ name }): readonly (readonly [string, DeclaredNames])[] => {
      const { declarations, isWhole } = namesByStack.get(name) ?? { declarations: [], isWhole: true };
      const here = declarations.filter((one) => (one.origin ?? origin) === origin);
      const known = here.filter(({ names }) => names.every(isKnownText));
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

/** Notes the objects that the code of the stack declares, for an apply that ends before its first write. An unwritable state stays as it is. */
export async function noteDeclaredInCode(source: Required<StackSource>, run: Run, options: PlanOptions) {
  try {
    const { declarations } = await declaredInCode(source, options, new Date());
    const origins = new Set(declarations.flatMap(({ origin }) => origin ?? []));
    const namesByStack = new Map([[source.name, { declarations, isWhole: false }]]);
    await saveNames(run, await differingNames(run, origins, [source], namesByStack), options);
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
  }
}

/** Saves changed names for a run that writes nothing else. A lock that the run has stays. */
export async function saveNames(run: Run, names: NotedNames, options: PlanOptions): Promise<void> {
  if (names.size === 0) return;
  const { isReserved } = run.state;
  await run.state.lock(lockOptionsOf(options));
  try {
    await noteNames(run, names);
    await run.state.save();
  } finally {
    if (!isReserved) await run.state.unlock();
  }
}

/** Notes changed names in the locked state. */
export async function noteNames({ state }: Run, names: NotedNames): Promise<void> {
  for (const [origin, stacks] of names) await state.noteDeclaredNames(origin, stacks);
}
