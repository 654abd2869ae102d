/** A command line as it can be typed again. */
export function typedCommand(argv: readonly string[]): string {
  return ["tenancy", ...argv.map(shellWord)].join(" ");
}

/** An argument as a shell takes it. */
export function shellWord(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
