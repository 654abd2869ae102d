/** The creates and updates of a plan as tasks: one for each object, and one for each block that ends when its objects have. */
import { placeOf } from "../../errors";
import type { Task } from "../../apply";
import type { Change } from "../../plan";
import type { Block } from "../../stack";
import type { PlannedRun } from "../plan-stack";
import type { PlannedObject } from "../planning/planned-object";
import { identityOf } from "../store/token-state";
import type { Applier } from "./applier";
import { diagnose } from "./diagnose";
import type { Progress } from "./progress";
import type { Values } from "./values";

/** Blocks without a task count as done: of a large stack hardly any changes. */
export function tasksOf(
  { objects, loaded, walked }: PlannedRun,
  applier: Applier,
  values: Values,
  progress: Progress,
): readonly Task[] {
  const byBlock = new Map<Block, PlannedObject[]>();
  for (const object of objects) {
    if (!hasWork(object)) continue;
    const list = byBlock.get(object.block);
    if (list === undefined) byBlock.set(object.block, [object]);
    else list.push(object);
  }
  const users = usersByLogin(byBlock);
  return loaded.stack.blocks.flatMap((block): Task[] => {
    const atWork = byBlock.get(block) ?? [];
    if (atWork.length === 0 && !walked.changing.has(block.address)) return [];
    const before = block.dependencies.map(blockTask);
    const tasks = atWork.map((object): Task => ({
      id: object.instance.address,
      after: [...before, ...userOf(object, users)],
      run: () => applier.apply(object),
      skip: (because) => skip(object.change, because, progress),
    }));
    const end: Task = {
      id: blockTask(block.address),
      after: [...before, ...atWork.map(({ instance }) => instance.address)],
      run: () => finish(block, values, progress),
      skip: () => undefined,
    };
    return [...tasks, end];
  });
}

/** Something to send, to note, or to check: tokens are checked one by one. */
function hasWork({ change, recorded, resource }: PlannedObject): boolean {
  return change.action !== "none" || recorded.length > 0 || resource.inventory === undefined;
}

async function finish(block: Block, values: Values, progress: Progress): Promise<boolean> {
  try {
    await values.finish(block);
    return true;
  } catch (error) {
    diagnose(error, placeOf(block)).forEach((diagnostic) => progress.note(diagnostic));
    return false;
  }
}

function blockTask(address: string): string {
  return `block ${address}`;
}

function skip(change: Change, because: "failed" | "stopped", progress: Progress): void {
  if (change.action === "none") return;
  progress.skip(change, because === "failed" ? "something that it depends on failed" : "the run was stopped");
}

/** A token waits for the declared account or user of its login, also where it does not refer to it. */
function usersByLogin(byBlock: ReadonlyMap<Block, readonly PlannedObject[]>): ReadonlyMap<string, string> {
  const users = new Map<string, string>();
  for (const { change, instance, resource, target } of [...byBlock.values()].flat())
    if (resource.inventory !== undefined) users.set(`${target.origin} ${change.key}`, instance.address);
  return users;
}

function userOf(
  { resource, change, target, config }: PlannedObject,
  users: ReadonlyMap<string, string>,
): readonly string[] {
  if (resource.inventory !== undefined) return [];
  const login = change.key.slice(0, -`/${identityOf(config).name}`.length);
  const address = users.get(`${target.origin} ${login}`);
  return address === undefined ? [] : [address];
}
