/** Values of variables as whoever runs the engine gives them. */

/** A value of a variable, as `--var` gives it, or a file of values, as `--var-file` does. */
export type VariableArgument = { readonly name: string; readonly value: string } | { readonly file: string };

/** In order, the later ones winning; or values by name, where there is no more to say. */
export type VariableArguments = Readonly<Record<string, string>> | readonly VariableArgument[];

export function argumentsOf(given: VariableArguments = []): readonly VariableArgument[] {
  return isInOrder(given) ? given : Object.entries(given).map(([name, value]) => ({ name, value }));
}

/** The values among them by name; where a name is given twice, the later one. */
export function valuesAmong(given: readonly VariableArgument[]): ReadonlyMap<string, string> {
  return new Map(given.flatMap((one) => ("file" in one ? [] : [[one.name, one.value]])));
}

function isInOrder(given: VariableArguments): given is readonly VariableArgument[] {
  return Array.isArray(given);
}
