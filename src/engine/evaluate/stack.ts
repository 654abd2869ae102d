/** Evaluates one stack, against its services or without them, and plans each object. The guards come later. */
import type { Marked } from "../../language";
import { cancelled, dependencyCycle, TenancyError } from "../../problems";
import { PROVIDER_FUNCTIONS } from "../families";
import {
  byAddress,
  EVERYTHING,
  type NamedRequest,
  refuseUnknownInstances,
  type Selection,
  selectionOf,
} from "../load/selection";
import { type LoadedStack, loadStack } from "../load/stack";
import { argumentsOf, type GivenValue, unfitArguments, variableValues } from "../load/variables";
import type { PlanOptions, StackSource } from "../options";
import { Run } from "../run";
import type { ForeseenObject, Rotation, Stray, Walked } from "../stages";
import { emptyMarked } from "./instances";
import { walk } from "./walk";
import { Walking } from "./walking";
import { readableFolders, Workspace } from "./workspace";

interface Evaluation {
  /** Undefined where nobody is to be asked. */
  readonly run: Run | undefined;
  readonly plannedAt: Date;
  /** A token that is to be rotated, whatever its keepers say. */
  readonly rotation?: Rotation | undefined;
  /** Takes what cannot be planned because another record is in its place. @default it is an error */
  readonly strays?: Stray[];
  /** Whether what is found is wanted whatever is wrong elsewhere. @default false: errors are thrown */
  readonly tolerant?: boolean;
  /** Stacks whose evaluation led here. */
  readonly above?: readonly string[];
}

interface EvaluatedStack {
  readonly loaded: LoadedStack;
  readonly workspace: Workspace;
  readonly selection: Selection;
  /** Names in `--only` of which nothing is declared. */
  readonly presumed: NamedRequest["presumed"];
  /** What the variables were given, by name. */
  readonly given: ReadonlyMap<string, GivenValue>;
  readonly walked: Walked;
}

/** @throws InvalidConfiguration with every finding; brokenStack, unknownStack; the errors of the service */
export async function evaluateStack(
  source: StackSource,
  options: PlanOptions,
  { run, plannedAt, rotation, strays, tolerant = false, above = [] }: Evaluation,
): Promise<EvaluatedStack> {
  const loaded = await loadStack(source);
  const { stack } = loaded;
  const variables = stack.blocks.filter((block) => block.kind === "variable");
  // Arguments are for the stack that was named, not for those that it refers to.
  const given = argumentsOf(options.variables).filter(
    (one) => above.length === 0 || "file" in one || variables.some(({ name }) => name === one.name),
  );
  const path = [...above, source.name];
  const values = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    given,
  });
  const walkingWith = (asked: Run | undefined, selection: Selection): Walking => {
    const others = new Map<string, Promise<Marked>>();
    return new Walking(stack, {
      workspace: new Workspace({
        folder: stack.folder,
        readable: readableFolders(stack.folder, options),
        functions: PROVIDER_FUNCTIONS,
        plannedAt: plannedAt.toISOString(),
      }),
      variables: values,
      open: asked === undefined ? undefined : (provider, config) => asked.open(provider, config),
      store: asked?.storeDescription ?? "",
      lacksSecrets: tolerant || options.live !== undefined,
      isRecorded: options.live !== undefined,
      outputsOf: async (name) => {
        const outputs =
          others.get(name) ?? outputsOf(name, source, options, { run: asked, plannedAt, above: path });
        others.set(name, outputs);
        return outputs;
      },
      selection,
      destroy: options.destroy ?? false,
      plannedAt,
      resetPasswords: options.resetPasswords ?? false,
      sendUnseen: options.sendUnseen ?? false,
      rotation,
      strays,
      signal: options.signal,
    });
  };
  const named = await byAddress(stack, options, () => foreseenIn(walkingWith(undefined, EVERYTHING)));
  const selection = selectionOf(stack, { ...named, destroy: options.destroy });
  const walking = walkingWith(run, selection);
  walking.findings.accept(unfitArguments(variables, given), {});
  const walked = tolerant ? await walkAsFar(walking) : await walk(walking);
  if (!tolerant)
    refuseUnknownInstances(stack, named, [
      ...walked.objects.map(({ change }) => change.address),
      ...walked.foreseen.map(({ address }) => address),
    ]);
  const { workspace } = walking.options;
  return { loaded, workspace, selection, presumed: named.presumed, given: values, walked };
}

/** The declared objects with their keys, as far as they are known without asking anybody, and whatever is wrong elsewhere. */
async function foreseenIn(walking: Walking): Promise<readonly ForeseenObject[]> {
  await walk(walking).catch((error: unknown) => {
    if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
  });
  return walking.foreseen;
}

/** What a walk has found, even if something is wrong elsewhere; errors are among the findings. */
async function walkAsFar(walking: Walking): Promise<Walked> {
  try {
    return await walk(walking);
  } catch (error) {
    if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
    const { objects, foreseen, unread, evaluated, outputs, deferred, changing } = walking;
    const targets = await walking.targets.all();
    const diagnostics = error.toFindings();
    return { objects, foreseen, unread, evaluated, outputs, targets, diagnostics, deferred, changing };
  }
}

/** The outputs of another stack of the app. Outputs that it has not applied yet are unknown. */
async function outputsOf(
  name: string,
  { outdir }: StackSource,
  options: PlanOptions,
  { run, plannedAt, above = [] }: Evaluation,
): Promise<Marked> {
  if (above.includes(name)) throw dependencyCycle.error(above.slice(above.indexOf(name)));
  const { only: _only, exclude: _exclude, destroy: _destroy, ...same } = options;
  const evaluation = { plannedAt, above, run: run && new Run(same, run) };
  const { walked, workspace } = await evaluateStack({ name, outdir }, same, evaluation);
  const outputs = emptyMarked();
  // CDKTF marks every output sensitive that another stack uses. Whether a value is a secret, its own marks tell.
  for (const output of walked.outputs) outputs[output.name] = workspace.valueAt(`output.${output.name}`);
  return outputs;
}
