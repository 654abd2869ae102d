/** Finds and synthesizes the stacks that a command line means. */
import { join, relative, resolve } from "node:path";
import picomatch from "picomatch";
import { listStacks, type StackSource } from "../../engine";
import {
  appAnnotation,
  asWarning,
  InvalidConfiguration,
  noProject,
  stackUnnamed,
  synthesisFailed,
  type TenancyError,
  unknownStack,
  worded,
} from "../../problems";
import { diagnosticsText } from "../../render/text";
import type { StackFlags } from "../flags";
import { exists } from "../named-files";
import type { Terminal } from "../terminal";
import { readProject, readProjectIfAny } from "./project";
import { synthesize } from "./synthesis";

interface SynthesizedStacks extends Required<Omit<StackSource, "name">> {
  /** The app's output folder, as its users know it: `cdktf.out` in the project's folder. */
  readonly output: string;
}

export interface ChosenStack extends SynthesizedStacks, Pick<StackSource, "name"> {
  /** Names of the stacks that it refers to. */
  readonly after: readonly string[];
}

interface StackOptions extends ChoiceOptions {
  /** Write to the app's output folder, for later runs. */
  readonly keepsOutput?: boolean;
  /** With `--skip-synth`: the folder may hold the stacks alone, in `cdktf.out`, without a `cdktf.json`. */
  readonly mayLackProject?: boolean;
}

/**
 * Synthesizes the project, unless `--skip-synth` is set, and chooses its stacks.
 * @param patterns names or globs
 * @returns the stacks; each follows the stacks that it refers to
 * @throws noProject, synthesisFailed, brokenStack, unknownStack, InvalidConfiguration if the app itself found an error
 */
export async function stacksFor(
  patterns: readonly string[],
  flags: StackFlags,
  terminal: Terminal,
  signal: AbortSignal,
  options: StackOptions = {},
): Promise<readonly ChosenStack[]> {
  const { screen } = terminal;
  const synthesized = await synthesizeStacks(flags, terminal, signal, options);
  const selection = chooseStacks(synthesized.stacks, patterns, options);

  const remarks = selection.flatMap(({ annotations }) => annotations);
  const errors = remarks
    .filter(({ level }) => level === "error")
    .flatMap((remark) => annotationError(remark).toDiagnostics());
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  const warnings = remarks
    .filter(({ level }) => level === "warning")
    .flatMap((remark) => worded(asWarning(annotationError(remark))));
  if (warnings.length > 0) screen.tell(`${diagnosticsText(warnings, screen.talk)}\n`);
  return selection.map(({ name, dependencies }) => ({ ...synthesized, name, after: dependencies }));
}

/** Like {@link stacksFor}, but no stacks outside a project: there the environment alone describes the service. */
export async function stacksIfAny(
  patterns: readonly string[],
  flags: StackFlags,
  terminal: Terminal,
  signal: AbortSignal,
  options: StackOptions = {},
): Promise<readonly ChosenStack[]> {
  try {
    return await stacksFor(patterns, flags, terminal, signal, options);
  } catch (error) {
    if (noProject.is(error) && patterns.length === 0) return [];
    throw error;
  }
}

/**
 * Runs the app. Other commands may work in this folder, with another environment: each run has a folder of its own for its stacks.
 * @throws noProject, synthesisFailed, brokenStack
 */
export async function synthesizeStacks(
  flags: StackFlags,
  terminal: Terminal,
  signal: AbortSignal,
  { keepsOutput = false, mayLackProject = false }: StackOptions = {},
): Promise<SynthesizedStacks> {
  const { io, screen, folders } = terminal;
  const isEarlier = flags.skipSynth === true;
  const project = await (mayLackProject && isEarlier ? readProjectIfAny(io.folder) : readProject(io.folder));
  const output = resolve(project.folder, project.output);
  const outdir = isEarlier || keepsOutput ? output : folders.make();
  if (!isEarlier) {
    screen.progress("synthesizing");
    await synthesize(project, outdir, terminal, signal);
  } else if (!(await exists(join(outdir, "manifest.json"))))
    throw synthesisFailed.error({
      problem: `there is nothing in ${project.output} yet`,
      app: project.app,
      advice: "Leave out --skip-synth, or run `tenancy synth` first.",
    });
  const stacks = (await listStacks(outdir)).map((stack) => ({
    ...stack,
    folder: join(output, relative(outdir, stack.folder)),
  }));
  return { outdir, output, stacks };
}

function annotationError(remark: {
  readonly message: string;
  readonly constructPath: string | undefined;
}): TenancyError {
  const { message, constructPath } = remark;
  return appAnnotation.error(message, constructPath === undefined ? {} : { constructPath });
}

// The selection of stacks.

interface ChoiceOptions {
  /** Without patterns every stack is meant. */
  readonly orAll?: boolean;
  /** An operand that names no stack may have been meant as a file. */
  readonly orFile?: boolean;
  /** A single name that is not a stack is an output of the only stack. */
  readonly orOutput?: boolean;
}

/**
 * The stacks that the patterns match, each once; without patterns the only stack there is, or all of them.
 * @param stacks in working order; the returned stacks are in the same order
 * @throws unknownStack if a pattern matches no stack; stackUnnamed if there is no stack, or if there are several
 */
export function chooseStacks<T extends { readonly name: string }>(
  stacks: readonly T[],
  patterns: readonly string[],
  options: ChoiceOptions = {},
): readonly T[] {
  const names = stacks.map(({ name }) => name);
  const [first = ""] = patterns;
  if (options.orAll === true && patterns.length === 0 && stacks.length > 0) return stacks;
  if (patterns.length === 0 || (options.orOutput === true && !names.includes(first))) {
    if (stacks.length !== 1) throw stackUnnamed.error(names);
    return stacks;
  }
  const selection = new Set<T>();
  for (const pattern of patterns) {
    const matches = stacks.filter(
      ({ name }) => name === pattern || (pattern !== "" && picomatch.isMatch(name, pattern)),
    );
    if (matches.length === 0)
      throw unknownStack.error({ name: pattern, known: names, orFile: options.orFile });
    for (const match of matches) selection.add(match);
  }
  return stacks.filter((stack) => selection.has(stack));
}
