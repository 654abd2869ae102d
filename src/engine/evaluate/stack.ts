/** Evaluates one stack, against its services or without them, and plans each object. The guards come later. */
import { setImmediate } from "node:timers/promises";
import {
  cancelled,
  dependencyCycle,
  type Finding,
  InvalidConfiguration,
  whereaboutsOf,
  TenancyError,
} from "../../problems";
import type { Block } from "../../stack";
import type { Marked } from "../../lib/values";
import { knownElsewhere } from "../tokens/possibly-issued";
import { PROVIDER_FUNCTIONS, resourceOf } from "../families";
import {
  byAddress,
  EVERYTHING,
  type NamedRequest,
  refuseUnknownInstances,
  type Selection,
  selectionOf,
} from "../load/selection";
import { load, type Loaded } from "../load/stack";
import type { PlanOptions, StackSource } from "../options";
import { Run } from "../run";
import type { OfflineObject, Rotation, ConflictingObject, ReadTarget, EvaluationResult } from "../stages";
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
import { readableFolders, Workspace } from "./workspace";

interface Evaluation {
  /** Undefined where nobody is to be asked. */
  readonly run: Run | undefined;
  readonly plannedAt: Date;
  /** A token that is to be rotated, whatever its keepers say. */
  readonly rotation?: Rotation | undefined;
  /** Takes what cannot be planned because another record is in its place. @default it is an error */
  readonly strays?: ConflictingObject[];
  /** Whether what is found is wanted whatever is wrong elsewhere. @default false: errors are thrown */
  readonly tolerant?: boolean;
  /** Stacks whose evaluation led here. */
  readonly above?: readonly string[];
}

/** The context of the second stage: each block is evaluated, looked up and compared, in the order of references. */
export interface Evaluated extends Loaded {
  readonly workspace: Workspace;
  readonly selection: Selection;
  /** Names in `--only` of which nothing is declared. */
  readonly presumed: NamedRequest["presumed"];
  readonly walked: EvaluationResult;
}

/** Loads and evaluates. @throws as the two do */
export async function evaluateStack(
  source: StackSource,
  options: PlanOptions,
  evaluation: Evaluation,
): Promise<Evaluated> {
  return evaluate(await load(source, options, evaluation.above), evaluation);
}

/** @throws InvalidConfiguration with every finding; brokenStack, unknownStack for another stack; the errors of the service */
export async function evaluate(
  loaded: Loaded,
  { run, plannedAt, rotation, strays, tolerant = false, above = [] }: Evaluation,
): Promise<Evaluated> {
  const { source, options, stack, given } = loaded;
  const path = [...above, source.name];
  const walkingWith = (asked: Run | undefined, selection: Selection): StackEvaluation => {
    const others = new Map<string, Promise<Marked>>();
    return new StackEvaluation(stack, {
      workspace: new Workspace({
        folder: stack.folder,
        readable: readableFolders(stack.folder, options),
        functions: PROVIDER_FUNCTIONS,
        plannedAt: plannedAt.toISOString(),
      }),
      variables: given,
      open: asked === undefined ? undefined : (provider, config) => asked.open(provider, config),
      store: asked?.storeDescription ?? "",
      lacksSecrets: tolerant || options.fromSnapshot !== undefined,
      isRecorded: options.fromSnapshot !== undefined,
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
      reader: options.reader,
      rotation,
      strays,
      signal: options.signal,
    });
  };
  const named = await byAddress(stack, options, () =>
    evaluateStackOffline(walkingWith(undefined, EVERYTHING)),
  );
  const selection = selectionOf(stack, { ...named, destroy: options.destroy });
  const walking = walkingWith(run, selection);
  walking.findings.accept(loaded.unfit, {});
  const walked = tolerant ? await walkAsFar(walking) : await walk(walking);
  if (!tolerant)
    refuseUnknownInstances(stack, named, [
      ...walked.objects.map(({ change }) => change.address),
      ...walked.offlineObjects.map(({ address }) => address),
    ]);
  const { workspace } = walking.options;
  return { ...loaded, workspace, selection, presumed: named.presumed, walked };
}

/** The declared objects with their keys, as far as they are known without asking anybody, and whatever is wrong elsewhere. */
async function evaluateStackOffline(walking: StackEvaluation): Promise<readonly OfflineObject[]> {
  await walk(walking).catch((error: unknown) => {
    if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
  });
  return walking.foreseen;
}

/** What a walk has found, even if something is wrong elsewhere; errors are among the findings. */
async function walkAsFar(walking: StackEvaluation): Promise<EvaluationResult> {
  try {
    return await walk(walking);
  } catch (error) {
    if (!(error instanceof TenancyError) || cancelled.is(error)) throw error;
    return walkedBy(walking, await walking.targets.all(), error.toFindings());
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

// The walk through the blocks of a stack, in the order of their references.

/**
 * @throws InvalidConfiguration with every finding, once all blocks have been looked at; what went wrong with a service, where
 * nothing else did
 */
async function walk(walking: StackEvaluation): Promise<EvaluationResult> {
  const { stack, options, findings } = walking;
  const early = earlyBlocks(stack.blocks);
  await visitAll(walking, (block) => early.has(block.address));
  walking.imports = new ImportTargets(stack, options.workspace, findings);
  await prepare(walking);
  const late = lateBlocks(stack.blocks);
  await visitAll(walking, ({ address }) => !early.has(address) && !late.has(address));
  await visitAll(walking, ({ address }) => late.has(address));
  const targets = await walking.targets.all();
  walking.imports.reportUnused(findings, walking.declared.values());
  findings.accept(knownElsewhere({ targets, objects: walking.objects }, walking.options.store), {});
  refuse(walking);
  return walkedBy(walking, targets, findings.all.map(walking.secretNames.hide));
}

/** What a walk has found, as far as it has come. */
function walkedBy(
  { objects, foreseen, unread, evaluated, outputs, deferred, changing, secretNames }: StackEvaluation,
  targets: readonly ReadTarget[],
  findings: readonly Finding[],
): EvaluationResult {
  return {
    objects,
    offlineObjects: foreseen,
    unread,
    evaluated,
    outputs,
    targets,
    findings,
    deferred,
    changing,
    hide: secretNames.hide,
    noteSecrets: secretNames.note.bind(secretNames),
  };
}

/** Provider configurations, and everything that they need, come first, so that services are asked at once. */
function earlyBlocks(blocks: readonly Block[]): ReadonlySet<string> {
  const early = new Set<string>();
  for (const { kind, address, dependencies } of blocks) {
    const isPlain = kind === "variable" || kind === "local" || kind === "provider" || kind === "value";
    if (isPlain && dependencies.every((dependency) => early.has(dependency))) early.add(address);
  }
  return early;
}

/** A token is planned when the change of its user is known, even if it does not refer to the user: tokens come last. */
function lateBlocks(blocks: readonly Block[]): ReadonlySet<string> {
  const late = new Set<string>();
  for (const block of blocks) {
    const isToken = block.kind === "resource" && resourceOf(block.type).kind === "token";
    if (isToken || block.dependencies.some((dependency) => late.has(dependency))) late.add(block.address);
  }
  return late;
}

async function visitAll(walking: StackEvaluation, which: (block: Block) => boolean): Promise<void> {
  for (const block of walking.stack.blocks) {
    if (!which(block)) continue;
    // Before the block, and not after it: a stop is heeded between blocks that fail, too.
    const pause = walking.pause();
    if (pause !== undefined) await pause;
    try {
      const done = visit(block, walking);
      if (done !== undefined) await done;
    } catch (error) {
      walking.findingsFor(block).report(error, whereaboutsOf(block));
    }
  }
}

function visit(block: Block, walking: StackEvaluation): Promise<void> | void {
  switch (block.kind) {
    case "variable":
      return visitVariable(block, walking);
    case "local":
      return visitLocal(block, walking);
    case "provider":
      return visitProvider(block, walking);
    case "resource":
      return visitResource(block, walking);
    case "value":
      return visitValue(block, walking);
    case "data":
      return visitData(block, walking);
    case "remote-state":
      return visitRemoteState(block, walking);
    case "ephemeral":
      return visitEphemeral(block, walking);
    case "output":
      return visitOutput(block, walking);
  }
}

/** How many blocks are prepared before the network has its turn. */
const TURN = 250;

/** Checks what needs no evaluation, while the lists of the service are on their way. */
async function prepare({ stack, configurations }: StackEvaluation): Promise<void> {
  let turn = 0;
  for (const block of stack.blocks) {
    if (block.kind !== "resource") continue;
    configurations.set(block, prepared(resourceOf(block.type).description, block.body));
    if (++turn % TURN === 0) await setImmediate();
  }
}

/** If only a service has failed, that failure is reported as it is. */
function refuse({ findings, failures, secretNames }: StackEvaluation): void {
  const { errors } = findings;
  const [failure] = failures;
  const ofServices = failures.flatMap((one) => one.toFindings()).length;
  if (failure !== undefined && failures.length === 1 && errors.length === ofServices) throw failure;
  if (errors.length > 0) throw new InvalidConfiguration(findings.all.map(secretNames.hide));
}
