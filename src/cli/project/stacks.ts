/** Finds and synthesizes the stacks that a command line means. */
import picomatch from "picomatch";
import { listStacks, type StackSource } from "../../engine";
import {
  appAnnotation,
  asWarning,
  InvalidConfiguration,
  noProject,
  noSuchToken,
  stackUnnamed,
  type TenancyError,
  tokenUndeclared,
  unknownOutput,
  unknownStack,
  worded,
} from "../../problems";
import { diagnosticsText } from "../../render/text";
import type { StackFlags } from "../flags";
import type { Terminal } from "../terminal";
import { readProject, readProjectIfAny } from "./project";
import { isSynthesized, synthesize } from "./synthesis";

export interface ChosenStack extends Required<StackSource> {
  /** Names of the stacks that it refers to. */
  readonly after: readonly string[];
  /** As an earlier run of the app left it. */
  readonly isEarlier: boolean;
}

interface StackOptions extends ChoiceOptions {
  /** Read what an earlier run of the app left, if it left anything and `--synth` does not ask for a new one. */
  readonly asTheyLie?: boolean;
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
  { io, screen }: Terminal,
  signal: AbortSignal,
  options: StackOptions = {},
): Promise<readonly ChosenStack[]> {
  const { outdir, isEarlier } = await synthesizeStacks(flags, { io, screen }, signal, options);
  const stacks = await listStacks(outdir);
  const selection = await withNames({ isEarlier }, async () => chooseStacks(stacks, patterns, options));

  const remarks = selection.flatMap(({ annotations }) => annotations);
  const errors = remarks
    .filter(({ level }) => level === "error")
    .flatMap((remark) => annotationError(remark).toDiagnostics());
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  const warnings = remarks
    .filter(({ level }) => level === "warning")
    .flatMap((remark) => worded(asWarning(annotationError(remark))));
  if (warnings.length > 0) screen.tell(`${diagnosticsText(warnings, screen.talk)}\n`);
  return selection.map(({ name, dependencies }) => ({
    name,
    after: dependencies,
    outdir,
    stacks,
    isEarlier,
  }));
}

/**
 * Runs work that looks up names in stacks. If the stacks come from an earlier run of the app, a missing name may exist in the program by
 * now, and the error says so.
 */
export async function withNames<T>(
  { isEarlier }: Pick<ChosenStack, "isEarlier">,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isEarlier && NAMES_NOT_FOUND.some((one) => one.is(error))) {
      (error as TenancyError).advising(
        "The stacks were read as the app left them when it last ran; --synth runs it again.",
      );
    }
    throw error;
  }
}

const NAMES_NOT_FOUND = [noSuchToken, tokenUndeclared, unknownOutput, unknownStack];

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

/** @throws noProject, synthesisFailed */
export async function synthesizeStacks(
  flags: StackFlags,
  { io, screen }: Terminal,
  signal: AbortSignal,
  { asTheyLie = false, mayLackProject = false }: StackOptions = {},
): Promise<{ readonly outdir: string; readonly isEarlier: boolean }> {
  const mayBeBare = mayLackProject && flags.skipSynth === true;
  const project = await (mayBeBare ? readProjectIfAny(io.folder) : readProject(io.folder));
  const isEarlier = asTheyLie
    ? flags.synth !== true && (await isSynthesized(project))
    : flags.skipSynth === true;
  if (!isEarlier) screen.progress("synthesizing");
  return { outdir: await synthesize(project, io, { skip: isEarlier, signal }), isEarlier };
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
