/** Evaluates one stack against its services, or without asking anybody; plans each object, and judges nothing. */
import { DependencyCycle } from "../errors";
import type { Marked } from "../expressions";
import { emptyMarked } from "./instances";
import { argumentsOf } from "./inputs/variable-arguments";
import { variableValues, type GivenValue } from "./inputs/variable-values";
import { loadStack, type LoadedStack } from "./load-stack";
import type { PlanOptions, StackSource } from "./options";
import type { Rotation } from "./planning/rotation";
import { refuseUnknownInstances, selectionOf, type Selection } from "./planning/selection";
import { unfitArguments } from "./planning/variables";
import type { Walked } from "./planning/walked";
import { PROVIDER_FUNCTIONS } from "./provider-functions";
import { Run } from "./run";
import { walk } from "./walking/walk";
import { Walking } from "./walking/walking";
import { readableFolders, Workspace } from "./workspace";

export interface Evaluation {
  /** Undefined where nobody is to be asked. */
  readonly run: Run | undefined;
  readonly plannedAt: Date;
  /** A token that is to be rotated, whatever its keepers say. */
  readonly rotation?: Rotation | undefined;
  /** Stacks whose evaluation led here. */
  readonly above?: readonly string[];
}

export interface EvaluatedStack {
  readonly loaded: LoadedStack;
  readonly workspace: Workspace;
  readonly selection: Selection;
  /** What the variables were given, by name. */
  readonly given: ReadonlyMap<string, GivenValue>;
  readonly walked: Walked;
}

/** @throws InvalidConfiguration with every finding; BrokenStack, UnknownStack; the errors of the service */
export async function evaluateStack(
  source: StackSource,
  options: PlanOptions,
  { run, plannedAt, rotation, above = [] }: Evaluation,
): Promise<EvaluatedStack> {
  const loaded = await loadStack(source);
  const { stack } = loaded;
  const workspace = new Workspace({
    folder: stack.folder,
    readable: readableFolders(stack.folder, options),
    functions: PROVIDER_FUNCTIONS,
    plannedAt: plannedAt.toISOString(),
  });
  const selection = selectionOf(stack, options);
  const variables = stack.blocks.filter((block) => block.kind === "variable");
  // Arguments are for the stack that was named, not for those that it refers to.
  const given = argumentsOf(options.variables).filter(
    (one) => above.length === 0 || "file" in one || variables.some(({ name }) => name === one.name),
  );
  const path = [...above, source.name];
  const others = new Map<string, Promise<Marked>>();
  const values = await variableValues({
    environment: options.environment ?? {},
    projectFolder: options.projectFolder,
    given,
  });
  const walking = new Walking(stack, {
    workspace,
    variables: values,
    open: run === undefined ? undefined : (provider, config) => run.open(provider, config),
    store: run?.store.description ?? "",
    outputsOf: async (name) => {
      const outputs = others.get(name) ?? outputsOf(name, source, options, { run, plannedAt, above: path });
      others.set(name, outputs);
      return outputs;
    },
    selection,
    destroy: options.destroy ?? false,
    plannedAt,
    resetPasswords: options.resetPasswords ?? false,
    rotation,
    signal: options.signal,
  });
  walking.findings.accept(unfitArguments(variables, given), {});
  const walked = await walk(walking);
  refuseUnknownInstances(stack, options, [
    ...walked.objects.map(({ change }) => change.address),
    ...walked.foreseen.map(({ address }) => address),
  ]);
  return { loaded, workspace, selection, given: values, walked };
}

/** What another stack of the app puts out; what it has not applied yet is unknown. */
async function outputsOf(
  name: string,
  { outdir }: StackSource,
  options: PlanOptions,
  { run, plannedAt, above = [] }: Evaluation,
): Promise<Marked> {
  if (above.includes(name)) throw new DependencyCycle(above.slice(above.indexOf(name)));
  const { only: _only, exclude: _exclude, destroy: _destroy, ...same } = options;
  const evaluation = { plannedAt, above, run: run && new Run(same, run) };
  const { walked, workspace } = await evaluateStack({ name, outdir }, same, evaluation);
  const outputs = emptyMarked();
  // CDKTF calls every output sensitive that another stack uses; what is a secret, the values themselves know.
  for (const output of walked.outputs) outputs[output.name] = workspace.valueAt(`output.${output.name}`);
  return outputs;
}
