/** Which stacks are meant, and in which order they are worked on. */
import picomatch from "picomatch";
import { StackUnnamed, UnknownStack } from "../../errors";

/** A stack of the app, as the manifest lists it. */
export interface ListedStack {
  readonly name: string;
  /** Names of the stacks that it depends on. */
  readonly dependencies: readonly string[];
}

export interface ChoiceOptions {
  /** What names no stack was perhaps to name a file. */
  readonly orFile?: boolean;
}

/**
 * The stacks that the patterns match, each once; without patterns the only stack there is. Stacks come after those that they depend on.
 * @throws UnknownStack where a pattern matches none; StackUnnamed where there is none, or several
 */
export function chooseStacks<T extends ListedStack>(
  stacks: readonly T[],
  patterns: readonly string[],
  options: ChoiceOptions = {},
): readonly T[] {
  const names = stacks.map(({ name }) => name);
  if (patterns.length === 0) {
    if (stacks.length !== 1) throw new StackUnnamed(names);
    return stacks;
  }
  const chosen = new Set<T>();
  for (const pattern of patterns) {
    const matches = stacks.filter(
      ({ name }) => name === pattern || (pattern !== "" && picomatch.isMatch(name, pattern)),
    );
    if (matches.length === 0) throw new UnknownStack(pattern, names, options);
    for (const match of matches) chosen.add(match);
  }
  return inOrder(stacks).filter((stack) => chosen.has(stack));
}

/** All stacks, each after those that it depends on; else in the order given. */
function inOrder<T extends ListedStack>(stacks: readonly T[]): readonly T[] {
  const byName = new Map(stacks.map((stack) => [stack.name, stack]));
  const ordered = new Set<T>();
  const visit = (stack: T, above: ReadonlySet<T>): void => {
    if (ordered.has(stack) || above.has(stack)) return;
    for (const name of stack.dependencies) {
      const dependency = byName.get(name);
      if (dependency !== undefined) visit(dependency, new Set([...above, stack]));
    }
    ordered.add(stack);
  };
  for (const stack of stacks) visit(stack, new Set());
  return [...ordered];
}
