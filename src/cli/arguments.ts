/** Reads the arguments of options: numbers, names, lists. */
import { InvalidArgumentError } from "commander";
import { shellWord } from "../lib/values";

/** The value of a bare `--allow-account-deletion`, which must not take the next argument for a name. */
const EVERY_ACCOUNT = "\u0000";

/** The arguments as commander is to see them. */
export function prepareArguments(argv: readonly string[]): string[] {
  const flag = "--allow-account-deletion";
  const end = argv.indexOf("--");
  return argv.map((argument, index) =>
    argument === flag && (end < 0 || index < end) ? `${flag}=${EVERY_ACCOUNT}` : argument,
  );
}

/** Each value of an option that may be given several times. */
export function collect(value: string, earlier: unknown): string[] {
  return [...((earlier as string[] | undefined) ?? []), value];
}

/** Names with commas between them, from each time that the option is given; `true` for all. */
export function names(value: string, earlier?: unknown): true | readonly string[] {
  if (value === EVERY_ACCOUNT || earlier === true) return true;
  const accounts = value.split(",").map((name) => name.trim());
  if (accounts.includes("")) throw new InvalidArgumentError("It contains an empty name.");
  return [...((earlier as readonly string[] | undefined) ?? []), ...accounts];
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError("It must be a whole number, zero or more.");
  return Number(value);
}

export function portNumber(value: string): number {
  const number = wholeNumber(value);
  if (number > 65_535) throw new InvalidArgumentError("It must be at most 65535.");
  return number;
}

export function positiveNumber(value: string): number {
  const number = wholeNumber(value);
  if (number === 0) throw new InvalidArgumentError("It must be at least 1.");
  return number;
}

/** A command line as it can be typed again. */
export function typedCommand(argv: readonly string[]): string {
  return ["tenancy", ...argv.map(shellWord)].join(" ");
}
