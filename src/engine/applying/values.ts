/** The values of the stack's blocks as the apply comes to know them, so that what refers to them can be evaluated. */
import { InvalidConfiguration, NotYetKnown, placeOf } from "../../errors";
import { bare, jsonType, typeOf, type Marked } from "../../expressions";
import type { OutputChange } from "../../plan";
import type { Block, DataBlock, OutputBlock, ResourceBlock } from "../../stack";
import { isWhollyKnown, type ObjectValue } from "../../values";
import { instancesOf, valueOfBlock, type InstanceKey } from "../instances";
import { failedConditions } from "../planning/conditions";
import { configurationOf } from "../planning/configuration";
import { dataSourceOf } from "../planning/families";
import type { PlannedObject } from "../planning/planned-object";
import { stateValue } from "../planning/state-value";
import { evaluateValueBlock } from "../planning/value-block";
import type { PlannedRun } from "../plan-stack";
import type { Surroundings } from "../workspace";
import { placeFor, type Places } from "./open-places";

export class Values {
  readonly #planned: PlannedRun;
  readonly #places: Places;
  readonly #states = new Map<PlannedObject, ObjectValue>();
  readonly #objects = new Map<Block, PlannedObject[]>();
  readonly #surroundings = new Map<Block, ReadonlyMap<string, Surroundings>>();

  constructor(planned: PlannedRun, places: Places) {
    this.#planned = planned;
    this.#places = places;
    planned.workspace.begin(new Date());
    for (const object of planned.walked.objects) {
      const list = this.#objects.get(object.block);
      if (list === undefined) this.#objects.set(object.block, [object]);
      else list.push(object);
    }
  }

  /** The state of an object after it was written. */
  note(object: PlannedObject, state: ObjectValue): void {
    this.#states.set(object, state);
  }

  /** What an instance can refer to besides: the elements of `for_each` may be known only now. */
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

  /** Gives a block the value that it has now. @throws TenancyError where it cannot be told */
  async finish(block: Block): Promise<void> {
    const { workspace, walked } = this.#planned;
    switch (block.kind) {
      case "local": {
        const value = block.value.evaluate(workspace.scope());
        workspace.define(block.address, () => value);
        return;
      }
      case "resource":
        workspace.define(block.address, () => this.#valueOf(block));
        return;
      case "value": {
        const values = instancesOf(block.address, block, workspace.scope()).map(
          ({ key, address, surroundings }) => ({
            key,
            value: evaluateValueBlock(block, address, workspace.scope(surroundings)),
          }),
        );
        workspace.define(block.address, () => valueOfBlock(block, values));
        return;
      }
      case "data":
        if (walked.deferred.has(block.address)) await this.#read(block);
        return;
      case "variable":
      case "provider":
      case "remote-state":
      case "ephemeral":
      case "output":
        return;
    }
  }

  /** The outputs as they are now. */
  outputs(): readonly OutputChange[] {
    const { walked, loaded, workspace } = this.#planned;
    const blocks = new Map<string, OutputBlock>();
    for (const block of loaded.stack.blocks) if (block.kind === "output") blocks.set(block.name, block);
    const scope = workspace.scope();
    return walked.outputs.map((output) => {
      const block = blocks.get(output.name);
      if (block === undefined || !walked.changing.has(block.address)) return output;
      const after = bare(block.value.evaluate(scope));
      return { ...output, action: "none", after, type: jsonType(typeOf(after)) };
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

  /** A data source that had to wait for what this plan changes. */
  async #read(block: DataBlock): Promise<void> {
    const { workspace } = this.#planned;
    const source = dataSourceOf(block.type);
    const { description } = source;
    const { connection } = placeFor(this.#places, block.provider);
    connection.directory.invalidate();
    const values: { key: InstanceKey; value: Marked }[] = [];
    for (const { key, surroundings, address } of instancesOf(block.address, block, workspace.scope())) {
      const scope = workspace.scope(surroundings);
      const place = placeOf(block, address);
      const { config, sensitive, diagnostics } = configurationOf(description, block.body.evaluate(scope));
      if (!isWhollyKnown(config)) throw new NotYetKnown(address);
      refuse([
        ...failedConditions(block.lifecycle.preconditions, scope, place),
        ...[...diagnostics, ...source.check(config)].filter(({ severity }) => severity === "error"),
      ]);
      const value = stateValue(await source.read(connection, config), { description, sensitive });
      const after = workspace.scope({ ...surroundings, self: value });
      refuse(failedConditions(block.lifecycle.postconditions, after, place));
      values.push({ key, value });
    }
    workspace.define(block.address, () => valueOfBlock(block, values));
  }
}

function refuse(errors: ConstructorParameters<typeof InvalidConfiguration>[0]): void {
  if (errors.length > 0) throw new InvalidConfiguration(errors);
}
