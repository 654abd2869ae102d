/** A command line as it can be typed again. */
export function typedCommand(argv: readonly string[]): string {
  return ["tenancy", ...argv.map(quoted)].join(" ");
}

function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
