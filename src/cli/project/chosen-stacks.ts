/** Which stacks are meant. */
import picomatch from "picomatch";
import { StackUnnamed, UnknownStack } from "../../errors";

/** A stack of the app, as the manifest lists it. */
export interface ListedStack {
  readonly name: string;
}

export interface ChoiceOptions {
  /** What names no stack was perhaps to name a file. */
  readonly orFile?: boolean;
  /** A single name that is no stack's is that of an output of the only stack. */
  readonly orOutput?: boolean;
}

/**
 * The stacks that the patterns match, each once; without patterns the only stack there is.
 * @param stacks in the order in which they are worked on; so are those that are returned
 * @throws UnknownStack where a pattern matches none; StackUnnamed where there is none, or several
 */
export function chooseStacks<T extends ListedStack>(
  stacks: readonly T[],
  patterns: readonly string[],
  options: ChoiceOptions = {},
): readonly T[] {
  const names = stacks.map(({ name }) => name);
  const [first = ""] = patterns;
  if (patterns.length === 0 || (options.orOutput === true && !names.includes(first))) {
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
  return stacks.filter((stack) => chosen.has(stack));
}
