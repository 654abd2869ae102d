/** Collects the values of blocks during an apply, so that references to them can be evaluated. */
import type { OutputChange } from "../../plan";
import { type Finding, InvalidConfiguration, notYetKnown, whereaboutsOf } from "../../problems";
import type { Block, DataBlock, OutputBlock, ResourceBlock } from "../../stack";
import { bare, jsonType, type Marked, type ObjectValue, typeOf } from "../../lib/values";
import { requireShowable, valueInstances } from "../evaluate/blocks";
import { readData } from "../evaluate/data";
import { instancesOf, valueOfBlock } from "../evaluate/instances";
import { failedConditions, stateValue } from "../evaluate/workspace";
import { hidingInOutput } from "../hidden-secrets";
import type { PlannedRun } from "../plan";
import type { InstanceKey, PlannedObject, Surroundings } from "../planned-object";
import { writeTargetFor, type WriteTargets } from "../target";

export class Values {
  readonly #planned: PlannedRun;
  readonly #writeTargets: WriteTargets;
  readonly #states = new Map<PlannedObject, ObjectValue>();
  readonly #objects = new Map<Block, PlannedObject[]>();
  readonly #surroundings = new Map<Block, ReadonlyMap<string, Surroundings>>();

  constructor(planned: PlannedRun, writeTargets: WriteTargets) {
    this.#planned = planned;
    this.#writeTargets = writeTargets;
    planned.workspace.begin(new Date());
    for (const object of planned.evaluation.objects) {
      const list = this.#objects.get(object.block);
      if (list === undefined) this.#objects.set(object.block, [object]);
      else list.push(object);
    }
  }

  /** The state of an object after it was written. */
  note(object: PlannedObject, state: ObjectValue): void {
    this.#states.set(object, state);
  }

  /** Further values that an instance can refer to: the elements of `for_each` may be known only now. */
  surroundingsOf({ block, instance }: PlannedObject): Surroundings {
    if (block.forEach === undefined || block.forEach.constant !== undefined) return instance.surroundings;
    let known = this.#surroundings.get(block);
    if (known === undefined) {
      const instances = instancesOf(block.address, block, this.#planned.workspace.scope());
      known = new Map(instances.map(({ address, surroundings }) => [address, surroundings]));
      this.#surroundings.set(block, known);
    }
    return known.get(instance.address) ?? instance.surroundings;
  }

  /** The preconditions of an object that fail now. */
  failedBefore(object: PlannedObject): readonly Finding[] {
    const { block, instance } = object;
    if (block.lifecycle.preconditions.length === 0) return [];
    const scope = this.#planned.workspace.scope(this.surroundingsOf(object));
    return failedConditions(block.lifecycle.preconditions, scope, whereaboutsOf(block, instance.address));
  }

  /** Evaluates an object's postconditions with its present state, which is computed only where there are any. */
  failedAfter(object: PlannedObject, self: () => Marked): readonly Finding[] {
    const { block, instance } = object;
    if (block.lifecycle.postconditions.length === 0) return [];
    const scope = this.#planned.workspace.scope({ ...this.surroundingsOf(object), self: self() });
    return failedConditions(block.lifecycle.postconditions, scope, whereaboutsOf(block, instance.address));
  }

  /** Gives a block the value that it has now. @throws TenancyError where it cannot be known */
  async finish(block: Block): Promise<void> {
    const { workspace, evaluation: result } = this.#planned;
    switch (block.kind) {
      case "local": {
        const value = block.value.evaluate(workspace.scope());
        workspace.define(block.address, () => value);
        return;
      }
      case "resource":
        this.#judgeUntouched(block);
        workspace.define(block.address, () => this.#valueOf(block));
        return;
      case "value": {
        const instances = [...valueInstances(block, workspace)];
        InvalidConfiguration.unlessFit(instances.flatMap(({ findings }) => findings));
        workspace.define(block.address, () => valueOfBlock(block, instances));
        return;
      }
      case "data":
        if (result.deferred.has(block.address)) await this.#read(block);
        return;
      case "variable":
      case "provider":
      case "remote-state":
      case "ephemeral":
      case "output":
        return;
    }
  }

  /** The present outputs, without outputs that have no value or break a condition. */
  outputs(onFailure: (error: unknown, block: OutputBlock) => void): readonly OutputChange[] {
    const { evaluation: result, stack, workspace } = this.#planned;
    const blocks = new Map<string, OutputBlock>();
    for (const block of stack.blocks) if (block.kind === "output") blocks.set(block.name, block);
    const scope = workspace.scope();
    return result.outputs.flatMap((output) => {
      const block = blocks.get(output.name);
      if (block === undefined || !result.changing.has(block.address))
        return hidingInOutput(output, this.#planned.run.secrets);
      try {
        InvalidConfiguration.unlessFit(failedConditions(block.preconditions, scope, whereaboutsOf(block)));
        const value = block.value.evaluate(scope);
        requireShowable(block, value);
        const after = bare(value);
        return hidingInOutput(
          { ...output, action: "none" as const, after, type: jsonType(typeOf(after)) },
          this.#planned.run.secrets,
        );
      } catch (error) {
        onFailure(error, block);
        return [];
      }
    });
  }

  #valueOf(block: ResourceBlock): Marked {
    const objects = this.#objects.get(block) ?? [];
    return valueOfBlock(
      block,
      objects.map((object) => this.#instance(object)),
    );
  }

  #instance(object: PlannedObject): { readonly key: InstanceKey; readonly value: Marked } {
    const { change, resource, sensitive, instance } = object;
    const state = this.#states.get(object) ?? change.after ?? {};
    return { key: instance.key, value: stateValue(state, { description: resource.description, sensitive }) };
  }

  /** Conditions of blocks that are not written: their references may be known only now. */
  #judgeUntouched(block: ResourceBlock): void {
    const { preconditions, postconditions } = block.lifecycle;
    if (preconditions.length + postconditions.length === 0) return;
    const untouched = (this.#objects.get(block) ?? []).filter(({ change }) => change.action === "none");
    InvalidConfiguration.unlessFit(
      untouched.flatMap((object) => [
        ...this.failedBefore(object),
        ...this.failedAfter(object, () => this.#instance(object).value),
      ]),
    );
  }

  /** A data source that had to wait for a change of this plan. */
  async #read(block: DataBlock): Promise<void> {
    const { workspace } = this.#planned;
    const { connection } = writeTargetFor(this.#writeTargets, block.provider);
    connection.directory.invalidate();
    const values: { key: InstanceKey; value: Marked }[] = [];
    for (const instance of instancesOf(block.address, block, workspace.scope())) {
      const { read, findings } = await readData(block, instance, workspace, connection);
      InvalidConfiguration.unlessFit(findings);
      if (read === undefined) throw notYetKnown.error(instance.address);
      values.push({ key: instance.key, value: read.value });
    }
    workspace.define(block.address, () => valueOfBlock(block, values));
  }
}
