/** The stacks that a command line means, synthesized. */
import { listStacks, type StackSource } from "../../engine";
import { AppAnnotation, asWarning, InvalidConfiguration, NoProject } from "../../errors";
import { diagnosticsText } from "../../render/text";
import type { ProjectFlags } from "../flags";
import type { Surroundings } from "../verbs/verb";
import { chooseStacks, type ChoiceOptions } from "./chosen-stacks";
import { readProject } from "./project";
import { synthesize } from "./synthesis";

export interface ChosenStack extends StackSource {
  /** Names of the stacks that it refers to. */
  readonly after: readonly string[];
}

/**
 * Synthesizes the project, and chooses.
 * @param patterns names or globs; `all` for every stack
 * @returns each after those that it refers to
 * @throws NoProject, SynthesisFailed, BrokenStack, UnknownStack, InvalidConfiguration where the app itself found an error
 */
export async function stacksFor(
  patterns: readonly string[] | "all",
  flags: ProjectFlags,
  { io, screen }: Surroundings,
  signal: AbortSignal,
  options: ChoiceOptions = {},
): Promise<readonly ChosenStack[]> {
  const outdir = await synthesized(flags, { io, screen }, signal);
  const listed = await listStacks(outdir);
  const chosen = chooseStacks(
    listed,
    patterns === "all" ? listed.map(({ name }) => name) : patterns,
    options,
  );

  const remarks = chosen.flatMap(({ annotations }) => annotations);
  const errors = remarks
    .filter(({ level }) => level === "error")
    .flatMap((remark) => errorOf(remark).toDiagnostics());
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  const warnings = remarks
    .filter(({ level }) => level === "warning")
    .flatMap((remark) => asWarning(errorOf(remark)));
  if (warnings.length > 0) screen.tell(`${diagnosticsText(warnings, screen.talk)}\n`);
  return chosen.map(({ name, dependencies }) => ({ name, after: dependencies, outdir }));
}

/** As {@link stacksFor}; none outside a project, where the environment alone says what the service is. */
export async function stacksIfAny(
  patterns: readonly string[] | "all",
  flags: ProjectFlags,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<readonly ChosenStack[]> {
  try {
    return await stacksFor(patterns, flags, surroundings, signal);
  } catch (error) {
    const isNamed = patterns !== "all" && patterns.length > 0;
    if (error instanceof NoProject && !isNamed) return [];
    throw error;
  }
}

/**
 * @returns the folder that holds the manifest
 * @throws NoProject, SynthesisFailed
 */
export async function synthesized(
  flags: ProjectFlags,
  { io, screen }: Surroundings,
  signal: AbortSignal,
): Promise<string> {
  const project = await readProject(io.folder);
  if (flags.skipSynth !== true) screen.progress("synthesizing");
  return synthesize(project, io, { skip: flags.skipSynth === true, signal });
}

function errorOf(remark: {
  readonly message: string;
  readonly constructPath: string | undefined;
}): AppAnnotation {
  const { message, constructPath } = remark;
  return new AppAnnotation(message, constructPath === undefined ? {} : { constructPath });
}
