/** Evaluates one stack, against its services or without them, and plans each object. The guards come later. */
import { setImmediate } from "node:timers/promises";
import {
  cancelled,
  dependencyCycle,
  type Finding,
  InvalidConfiguration,
  isError,
  noSuchObject,
  nothingManaged,
  renamedOutside,
  unmanagedObject,
  whereaboutsOf,
  TenancyError,
} from "../../problems";
import type { Block } from "../../stack";
import type { Marked } from "../../lib/values";
import { knownElsewhere } from "../tokens/possibly-issued";
import { PROFILE_TYPE } from "../../resources";
import { listedFamilies, PROVIDER_FUNCTIONS, resourceOf } from "../families";
import {
  byAddress,
  EVERYTHING,
  isUndeclaredAddress,
  type NamedRequest,
  refuseUnknownInstances,
  type Selection,
  selectionOf,
} from "../load/selection";
import { load, type Loaded } from "../load/stack";
import type { PlanOptions, StackSource } from "../options";
import { Run } from "../run";
import type { ConflictingObject, EvaluationResult, Rotation } from "../planned-object";
import type { ReadTarget } from "../target";
import {
  visitLocal,
  visitOutput,
  visitProvider,
  visitRemoteState,
  visitValue,
  visitVariable,
} from "./blocks";
import { prepared } from "./configuration";
import { visitData, visitEphemeral } from "./data";
import { emptyMarked } from "./instances";
import { visitResource } from "./objects";
import { ImportTargets, StackEvaluation } from "./stack-evaluation";
import { filesOf, Workspace } from "./workspace";

export interface EvaluationRequest {
  /** Undefined if no service is read. */
  readonly run: Run | undefined;
  readonly plannedAt: Date;
  /** A token to rotate, independent of its keepers. */
  readonly rotation?: Rotation | undefined;
  /** Collects objects that cannot be planned because another record is in their place. @default it is an error */
  readonly strays?: ConflictingObject[];
  /** True if the services were read already. @default false */
  readonly isRepeated?: boolean;
  /**
   * Errors that do not end the evaluation: the result has them among its findings. `objects` needs one provider configuration that can be read.
   * @default none: errors are thrown
   */
  readonly tolerates?: "everything" | "objects";
  /** Stacks whose evaluation led here. */
  readonly above?: readonly string[];
  /** False where the arguments were given for another stack, and this one has some of the variables. @default true, where no stack is above */
  readonly isNamed?: boolean;
}

/** A stack whose blocks are evaluated, and whose objects are looked up and compared. */
export interface Evaluated extends Loaded {
  readonly workspace: Workspace;
  readonly selection: Selection;
  /** Names in `--only` of which nothing is declared. */
  readonly presumed: NamedRequest["presumed"];
  /** The result of evaluating the blocks: planned objects, targets, outputs and findings. */
  readonly evaluation: EvaluationResult;
  /** Errors of single objects, which are left out of the run with their dependents. */
  readonly refusals: readonly Finding[];
  /** The live records that are in the place of such objects. */
  readonly strays: readonly ConflictingObject[];
}

/** Loads and evaluates. @throws as the two do */
export async function evaluateStack(
  source: StackSource,
  options: PlanOptions,
  request: EvaluationRequest,
): Promise<Evaluated> {
  const { above = [], isNamed = above.length === 0 } = request;
  return evaluate(await load(source, options, isNamed), request);
}

/**
 * If only single objects are refused, they and their dependents are left out, and stay as they are.
 * @throws InvalidConfiguration with every finding; brokenStack, unknownStack for another stack; the errors of the service
 */
export async function evaluate(loaded: Loaded, request: EvaluationRequest): Promise<Evaluated> {
  try {
    return await evaluateOnce(loaded, request);
  } catch (error) {
    const refusals = request.rotation === undefined ? refusalsOfObjects(error) : [];
    if (refusals.length === 0) throw error;
    const { options } = loaded;
    const exclude = [...(options.exclude ?? []), ...refusals.flatMap(({ address }) => address ?? [])];
    const strays: ConflictingObject[] = [];
    const rest = await evaluateOnce(
      { ...loaded, options: { ...options, exclude } },
      { ...request, strays, isRepeated: true },
    );
    const { selection } = rest;
    return {
      ...rest,
      options,
      refusals,
      strays,
      selection: {
        ...selection,
        hasObject: (address) =>
          isUndeclaredAddress(address)
            ? (options.only ?? []).length === 0 && address.startsWith(PROFILE_TYPE)
            : selection.hasObject(address),
      },
    };
  }
}

/** Errors that refuse one object alone. The rest of the stack is planned. */
const OF_ONE_OBJECT: ReadonlySet<string> = new Set(
  [renamedOutside, unmanagedObject, noSuchObject].map(({ code }) => code),
);

/** @returns the errors, where each of them refuses one object alone; otherwise none */
function refusalsOfObjects(error: unknown): readonly Finding[] {
  if (!(error instanceof InvalidConfiguration)) return [];
  const errors = error.toFindings().filter(isError);
  const isOfObject = ({ code, address = "" }: Finding) =>
    OF_ONE_OBJECT.has(code) && address.startsWith("tenancy_");
  return errors.every(isOfObject) ? errors : [];
}

async function evaluateOnce(loaded: Loaded, request: EvaluationRequest): Promise<Evaluated> {
  const { options, stack } = loaded;
  const { tolerates } = request;

  // Options may name an object by its key. An evaluation without requests finds the keys.
  const addressOptions = await byAddress(stack, options, async () => {
    const offline = newEvaluation(loaded, { ...request, run: undefined }, EVERYTHING);
    await evaluateBlocks(offline).catch(ignoreUsersErrors);
    return offline.offlineObjects;
  });
  const selection = selectionOf(stack, { ...addressOptions, destroy: options.destroy });

  const evaluation = newEvaluation(loaded, request, selection);
  evaluation.findings.accept(loaded.unfit, {});
  const result = await evaluateBlocks(evaluation).catch(async (error: unknown) => {
    const targets = tolerates === undefined ? [] : await evaluation.targets.all();
    if (tolerates === undefined || (tolerates === "objects" && targets.length === 0)) throw error;
    const usersErrors = ignoreUsersErrors(error);
    // The error of one service does not name its provider configuration.
    const { findings, secretNames } = evaluation;
    const isWhole = error instanceof InvalidConfiguration;
    return evaluationResult(
      evaluation,
      targets,
      isWhole ? usersErrors : findings.errors.map(secretNames.hide),
    );
  });
  if (tolerates === undefined)
    refuseUnknownInstances(stack, addressOptions, [
      ...result.objects.map(({ change }) => change.address),
      ...result.offlineObjects.map(({ address }) => address),
      ...(request.strays ?? []).map(({ instance }) => instance.address),
    ]);
  const { workspace } = evaluation.options;
  const { presumed } = addressOptions;
  return { ...loaded, workspace, selection, presumed, evaluation: result, refusals: [], strays: [] };
}

/** @returns the findings of a user's error; any other error, and the end of the run, are thrown */
function ignoreUsersErrors(error: unknown): readonly Finding[] {
  if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
  return error.toFindings();
}

function newEvaluation(
  loaded: Loaded,
  { run, plannedAt, rotation, strays, isRepeated = false, tolerates, above = [] }: EvaluationRequest,
  selection: Selection,
): StackEvaluation {
  const { source, options, stack, given: givenValues } = loaded;
  const path = [...above, source.name];
  const outputsByStack = new Map<string, Promise<Marked>>();
  return new StackEvaluation(stack, {
    workspace: new Workspace({
      ...filesOf(stack, options),
      functions: PROVIDER_FUNCTIONS,
      plannedAt: plannedAt.toISOString(),
    }),
    variables: givenValues,
    open:
      run === undefined
        ? undefined
        : async (provider, config) =>
            (isRepeated ? run.opened.get(provider)?.target : undefined) ?? run.open(provider, config),
    state: run?.stateDescription ?? "",
    lacksSecrets: tolerates !== undefined || options.fromSnapshot !== undefined,
    isRecorded: options.fromSnapshot !== undefined,
    siblings: new Set(loaded.source.stacks.map((one) => one.name)),
    outputsOf: async (name) => {
      const outputs =
        outputsByStack.get(name) ?? outputsOfStack(name, source, options, { run, plannedAt, above: path });
      outputsByStack.set(name, outputs);
      return outputs;
    },
    selection,
    destroy: options.destroy ?? false,
    plannedAt,
    resetPasswords: options.resetPasswords ?? false,
    recovers: options.recover ?? false,
    reader: options.reader,
    rotation,
    strays,
    environment: options.environment ?? {},
    signal: options.signal,
  });
}

/** The outputs of another stack of the app. Outputs that it has not applied yet are unknown. */
async function outputsOfStack(
  name: string,
  source: StackSource,
  options: PlanOptions,
  { run, plannedAt, above = [] }: EvaluationRequest,
): Promise<Marked> {
  if (above.includes(name)) throw dependencyCycle.error(above.slice(above.indexOf(name)));
  const { only: _only, exclude: _exclude, destroy: _destroy, ...same } = options;
  const request = { plannedAt, above, run: run && new Run(same, name, run) };
  const { evaluation: result, workspace } = await evaluateStack({ ...source, name }, same, request);
  const outputs = emptyMarked();
  // CDKTF marks every output sensitive that another stack uses. The value's own marks show its secrecy.
  for (const output of result.outputs) outputs[output.name] = workspace.valueAt(`output.${output.name}`);
  return outputs;
}

/**
 * Evaluates the blocks of a stack in the order of their references. The provider configurations and their dependencies come first, so that requests start
 * at once. The other blocks follow. Tokens come last, because the change of a token's user must be known, even without a reference to the user.
 * @throws InvalidConfiguration with every finding, after all blocks; the error of a service, if there is no other
 */
async function evaluateBlocks(evaluation: StackEvaluation): Promise<EvaluationResult> {
  const { stack, options, findings, secretNames } = evaluation;
  const early = blocksOfProviders(stack.blocks);
  const late = blocksOfTokens(stack.blocks);

  await visitBlocks(evaluation, (block) => early.has(block));
  evaluation.imports = new ImportTargets(stack, options.workspace, findings);
  await prepareConfigurations(evaluation);
  await visitBlocks(evaluation, (block) => !early.has(block) && !late.has(block));
  await visitBlocks(evaluation, (block) => late.has(block));

  const targets = await evaluation.targets.all();
  evaluation.imports.reportUnused(findings, evaluation.addresses.values());
  const { objects } = evaluation;
  findings.accept(knownElsewhere({ targets, objects }, options.state, options.siblings), {});
  throwErrors(evaluation, targets);
  return evaluationResult(evaluation, targets, findings.all.map(secretNames.hide));
}

/** The result of an evaluation, as far as it has come. */
function evaluationResult(
  {
    objects,
    offlineObjects,
    unread: unreadBlocks,
    evaluated,
    outputs,
    deferred,
    changing,
    secretNames,
    targets: { extraRights },
  }: StackEvaluation,
  targets: readonly ReadTarget[],
  findings: readonly Finding[],
): EvaluationResult {
  return {
    ...{ objects, offlineObjects, unread: unreadBlocks, evaluated, outputs, targets, findings, deferred },
    ...{ changing, extraRights, hide: secretNames.hide, noteSecrets: secretNames.note.bind(secretNames) },
  };
}

function blocksOfProviders(blocks: readonly Block[]): ReadonlySet<Block> {
  const addresses = new Set<string>();
  return new Set(
    blocks.filter(({ kind, address, dependencies }) => {
      const isPlain = kind === "variable" || kind === "local" || kind === "provider" || kind === "value";
      if (!isPlain || !dependencies.every((dependency) => addresses.has(dependency))) return false;
      return addresses.add(address);
    }),
  );
}

/** Tokens and their dependents. */
function blocksOfTokens(blocks: readonly Block[]): ReadonlySet<Block> {
  const addresses = new Set<string>();
  return new Set(
    blocks.filter((block) => {
      const isToken = block.kind === "resource" && resourceOf(block.type).kind === "token";
      if (!isToken && !block.dependencies.some((dependency) => addresses.has(dependency))) return false;
      return addresses.add(block.address);
    }),
  );
}

async function visitBlocks(evaluation: StackEvaluation, which: (block: Block) => boolean): Promise<void> {
  for (const block of evaluation.stack.blocks) {
    if (!which(block)) continue;
    // Before the block, and not after it: a stop is heeded between blocks that fail, too.
    const pause = evaluation.pause();
    if (pause !== undefined) await pause;
    try {
      const pendingVisit = visit(block, evaluation);
      if (pendingVisit !== undefined) await pendingVisit;
    } catch (error) {
      evaluation.findingsFor(block).report(error, whereaboutsOf(block));
    }
  }
}

function visit(block: Block, evaluation: StackEvaluation): Promise<void> | void {
  switch (block.kind) {
    case "variable":
      return visitVariable(block, evaluation);
    case "local":
      return visitLocal(block, evaluation);
    case "provider":
      return visitProvider(block, evaluation);
    case "resource":
      return visitResource(block, evaluation);
    case "value":
      return visitValue(block, evaluation);
    case "data":
      return visitData(block, evaluation);
    case "remote-state":
      return visitRemoteState(block, evaluation);
    case "ephemeral":
      return visitEphemeral(block, evaluation);
    case "output":
      return visitOutput(block, evaluation);
  }
}

/** Number of blocks that are prepared before the network has its turn. */
const TURN = 250;

/** Checks what needs no evaluation, while the lists of the service are on their way. */
async function prepareConfigurations({ stack, configurations }: StackEvaluation): Promise<void> {
  let turn = 0;
  for (const block of stack.blocks) {
    if (block.kind !== "resource") continue;
    configurations.set(block, prepared(resourceOf(block.type).description, block.body));
    if (++turn % TURN === 0) await setImmediate();
  }
}

/** If only a service has failed, that failure is reported as it is. */
function throwErrors(
  { findings, failures, secretNames, options }: StackEvaluation,
  targets: readonly ReadTarget[],
): void {
  const { errors } = findings;
  const [failure] = failures;
  const ofServices = failures.flatMap((one) => one.toFindings()).length;
  if (failure !== undefined && failures.length === 1 && errors.length === ofServices) throw failure;
  if (errors.length > 0)
    throw new InvalidConfiguration(
      withLostStateAsCause(findings.all, targets, options.state).map(secretNames.hide),
    );
}

/** From so many objects on, one error names them all. */
const MANY = 5;

/** Reports a state that was most likely lost once, in place of an error for each declared object. */
function withLostStateAsCause(
  findings: readonly Finding[],
  targets: readonly ReadTarget[],
  state: string,
): readonly Finding[] {
  const [target] = targets;
  const managesNothing = (one: ReadTarget) =>
    listedFamilies().every(({ resource }) => one.managed(resource).length === 0);
  const unmanaged = findings.filter(({ code }) => code === unmanagedObject.code);
  if (target === undefined || unmanaged.length < MANY || !targets.every(managesNothing)) return findings;
  const { origin, provider } = target;
  const addresses = unmanaged.flatMap(({ address }) => (address === undefined ? [] : [address]));
  const cause = nothingManaged.at({ origin, state, addresses }, { address: `provider.${provider}` });
  return [cause, ...findings.filter(({ code }) => code !== unmanagedObject.code)];
}
