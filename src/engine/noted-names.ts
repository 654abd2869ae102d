/** Notes the declared objects of stacks in the state: they are protected in runs that do not synthesize their stacks. */
import type { DeclaredNames, TenancyState } from "../state";
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
      // Names that are not known leave earlier ones in their place.
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

/** Notes the objects that the code of the stack declares, for an apply that ends before its first write. */
export async function noteDeclaredInCode(source: Required<StackSource>, run: Run, options: PlanOptions) {
  const { declarations } = await declaredInCode(source, options, new Date());
  const origins = new Set(declarations.flatMap(({ origin }) => origin ?? []));
  const namesByStack = new Map([[source.name, { declarations, isWhole: false }]]);
  await saveNames(run, await differingNames(run, origins, [source], namesByStack), options);
}

/** Ignores errors of the state: the run ends with the error that it has already. */
export async function quietly(noting: Promise<void>): Promise<void> {
  await noting.catch((error: unknown) => {
    if (!(error instanceof TenancyError)) throw error;
  });
}

/** Saves changed names for a run that writes nothing else. Makes no state for them. A run that holds the lock keeps it. */
export async function saveNames({ state }: Run, names: NotedNames, options: PlanOptions): Promise<void> {
  const [origin] = names.keys();
  if (origin === undefined) return;
  if ((await state.parts(origin)).length + (await state.declaredNames(origin)).size === 0) return;
  const { isReserved } = state;
  await state.lock(lockOptionsOf(options));
  try {
    await noteNames(state, names);
    await state.save();
  } finally {
    if (!isReserved) await state.unlock();
  }
}

/** Notes changed names in the locked state. */
export async function noteNames(state: TenancyState, names: NotedNames): Promise<void> {
  for (const [origin, stacks] of names) await state.noteDeclaredNames(origin, stacks);
}
