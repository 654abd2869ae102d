/** Programs that some tests need beside Node, npm and git. `node .ci/engines.mjs` installs them. */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import programs from "./needed-programs.json";

export type ProgramName = keyof typeof programs;

/** What goes untested without a program, by its name. */
export const UNTESTED: Readonly<Record<ProgramName, string>> = programs;

export const PROGRAMS = Object.keys(programs) as readonly ProgramName[];

/** Where .ci/engines.mjs puts what the machine lacks. */
const CACHE = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "tenancy-engines", "bin");

/** The whole path of a program's file, so that tests can start it with another PATH, or as another user; undefined where there is none. */
export function findProgram(name: ProgramName): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), CACHE];
  const file = folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  return file && realpathSync(file);
}

/** The file of each program. In tests that are listed without being run, the program's name. */
export type Files<Name extends ProgramName> = Readonly<Record<Name, string>>;

/** Tests that need programs, and are skipped where the machine lacks one: test/support/missing-programs.ts says why. */
export function describeWith<Name extends ProgramName>(
  names: readonly Name[],
  title: string,
  tests: (files: Files<Name>) => void,
): void {
  const missing = names.filter((name) => findProgram(name) === undefined);
  const files = Object.fromEntries(names.map((name) => [name, findProgram(name) ?? name])) as Files<Name>;
  if (missing.length === 0) describe(title, () => tests(files));
  else describe.skip(`${title} (not here: ${missing.join(", ")})`, () => tests(files));
}
