/** Makes the tasks of an apply: one for each created or updated object, and one for each block, which ends after its objects. */
import { whereaboutsOf } from "../../problems";
import type { Block } from "../../stack";
import { groupedBy } from "../../lib/values";
import type { PlannedObject } from "../planned-object";
import { tokenIdentityOf } from "../tokens/identity";
import { type ApplyContext, applyObject, hasWork } from "./object";
import type { Task } from "./schedule";

/** Blocks without a task count as done: most blocks of a large stack do not change. */
export function tasksOf(context: ApplyContext): readonly Task[] {
  const { objects, stack, evaluation: result } = context.planned;
  const byBlock = groupedBy<PlannedObject, Block>(objects.filter(hasWork), ({ block }) => block);
  const users = usersByLogin([...byBlock.values()].flat());
  return stack.blocks.flatMap((block): Task[] => {
    const changing = byBlock.get(block) ?? [];
    if (changing.length === 0 && !result.changing.has(block.address)) return [];
    const before = block.dependencies.map(blockTask);
    const tasks = changing.map((object): Task => ({
      id: object.instance.address,
      after: [...before, ...usersBefore(object, users)],
      run: () => applyObject(object, context),
      skip: (because) => {
        if (object.change.action === "none") return;
        const reason = because === "failed" ? "something that it depends on failed" : "the run was stopped";
        context.progress.skip(object.change, reason);
      },
    }));
    const end: Task = {
      id: blockTask(block.address),
      after: [...before, ...changing.map(({ instance }) => instance.address)],
      run: () => finish(block, context),
      skip: () => undefined,
    };
    return [...tasks, end];
  });
}

async function finish(block: Block, { values, progress }: ApplyContext): Promise<boolean> {
  try {
    await values.finish(block);
    return true;
  } catch (error) {
    progress.noteError(error, whereaboutsOf(block));
    return false;
  }
}

function blockTask(address: string): string {
  return `block ${address}`;
}

/** A token waits for the declared account or user of its login, even if it does not refer to it. */
function usersByLogin(objects: readonly PlannedObject[]): ReadonlyMap<string, string> {
  return new Map(
    objects.flatMap(({ change, instance, resource, target }) =>
      resource.kind === "record" ? [[`${target.origin} ${change.key}`, instance.address]] : [],
    ),
  );
}

function usersBefore(
  { resource, change, target, config }: PlannedObject,
  users: ReadonlyMap<string, string>,
): readonly string[] {
  if (resource.kind === "record") return [];
  const login = change.key.slice(0, -`/${tokenIdentityOf(config).name}`.length);
  const address = users.get(`${target.origin} ${login}`);
  return address === undefined ? [] : [address];
}
