/** Walks through the blocks of a stack in the order of their references, and evaluates and plans each. */
import { setImmediate } from "node:timers/promises";
import { InvalidConfiguration, placeOf } from "../../problems";
import type { Block } from "../../stack";
import { knownElsewhere } from "../doubt";
import { resourceOf } from "../families";
import type { Walked } from "../stages";
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
import { visitResource } from "./objects";
import { ImportTargets, type Walking } from "./walking";

/**
 * @throws InvalidConfiguration with every finding, once all blocks have been looked at; what went wrong with a service, where
 * nothing else did
 */
export async function walk(walking: Walking): Promise<Walked> {
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
  const { objects, foreseen, unread, evaluated, outputs, deferred, changing } = walking;
  const { all: diagnostics } = findings;
  return { objects, foreseen, unread, evaluated, outputs, targets, diagnostics, deferred, changing };
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
    const isToken = block.kind === "resource" && resourceOf(block.type).inventory === undefined;
    if (isToken || block.dependencies.some((dependency) => late.has(dependency))) late.add(block.address);
  }
  return late;
}

async function visitAll(walking: Walking, which: (block: Block) => boolean): Promise<void> {
  for (const block of walking.stack.blocks) {
    if (!which(block)) continue;
    try {
      const done = visit(block, walking);
      if (done !== undefined) await done;
      const pause = walking.pause();
      if (pause !== undefined) await pause;
    } catch (error) {
      walking.findingsFor(block).report(error, placeOf(block));
    }
  }
}

function visit(block: Block, walking: Walking): Promise<void> | void {
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
async function prepare({ stack, configurations }: Walking): Promise<void> {
  let turn = 0;
  for (const block of stack.blocks) {
    if (block.kind !== "resource") continue;
    configurations.set(block, prepared(resourceOf(block.type).description, block.body));
    if (++turn % TURN === 0) await setImmediate();
  }
}

/** If only a service has failed, that failure is reported as it is. */
function refuse({ findings, failures }: Walking): void {
  const { errors } = findings;
  const [failure] = failures;
  const ofServices = failures.flatMap((one) => one.toFindings()).length;
  if (failure !== undefined && failures.length === 1 && errors.length === ofServices) throw failure;
  if (errors.length > 0) throw new InvalidConfiguration(findings.all);
}
