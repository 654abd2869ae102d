/** What the tasks of an apply share: connections to write through, ledgers, and values as they become known. */
import type { Ledger } from "../../credentials";
import { NotYetKnown, TenancyError } from "../../errors";
import { bare, type Marked } from "../../expressions";
import type { OutputChange } from "../../plan";
import type { Connection, Outcome } from "../../resources";
import type { Block, DataBlock } from "../../stack";
import { isWhollyKnown, type ObjectValue } from "../../values";
import { instancesOf, valueOfBlock, type InstanceKey } from "../instances";
import { failedConditions } from "../planning/conditions";
import { configurationOf } from "../planning/configuration";
import { dataSourceOf } from "../planning/families";
import type { PlannedObject } from "../planning/planned-object";
import { stateValue } from "../planning/state-value";
import { evaluateValueBlock } from "../planning/value-block";
import type { PlannedRun } from "../plan-stack";
import type { Opened } from "../run";
import { tokenKeeper } from "../store/keeper";
import type { Workspace } from "../workspace";
import { diagnose } from "./apply-run";
import { noteRecorded } from "./memory-notes";
import type { Progress } from "./progress";
import { writeObject } from "./write-object";

/** One service with the ledger that the locked store keeps for it. */
export interface Place {
  readonly opened: Opened;
  readonly ledger: Ledger;
}

export class Applier {
  readonly #states = new Map<string, ObjectValue>();

  private constructor(
    readonly planned: PlannedRun,
    readonly progress: Progress,
    readonly places: ReadonlyMap<string, Place>,
  ) {}

  /** Reads the ledgers anew, under the lock. */
  static async open(planned: PlannedRun, progress: Progress, _signal?: AbortSignal): Promise<Applier> {
    const places = new Map<string, Place>();
    for (const [provider, opened] of planned.run.opened) {
      places.set(provider, { opened, ledger: await planned.run.ledger(opened) });
    }
    return new Applier(planned, progress, places);
  }

  get workspace(): Workspace {
    return this.planned.workspace;
  }

  place(provider: string): Place {
    const place = this.places.get(provider);
    if (place === undefined) throw new TypeError(`${provider} was not opened`);
    return place;
  }

  connection(provider: string): Connection {
    return this.place(provider).opened.connection;
  }

  /** Does what is planned for one object. @returns whether it succeeded */
  async apply(object: PlannedObject): Promise<boolean> {
    const { change, recorded, remembered, config } = object;
    if (change.action === "none") {
      if (recorded.length > 0 && remembered !== undefined)
        await noteRecorded(this.place(change.provider).ledger, remembered, recorded, config);
      return true;
    }
    const where = {
      address: change.address,
      ...(change.constructPath !== undefined && { constructPath: change.constructPath }),
    };
    const deed = change.action === "create" ? "create" : "update";
    return this.progress.deed(
      change,
      deed,
      async () => {
        const outcome = await this.#write(object);
        this.#states.set(object.instance.address, outcome.state);
        const id = outcome.state["id"];
        const scope = this.workspace.scope({
          ...object.instance.surroundings,
          self: stateValue(outcome.state, object),
        });
        return {
          id: typeof id === "string" ? id : undefined,
          diagnostics: [
            ...outcome.diagnostics.map((diagnostic) => ({ ...where, ...diagnostic })),
            ...failedConditions(object.block.lifecycle.postconditions, scope, where),
          ],
        };
      },
      (error) => diagnose(error, where),
    );
  }

  async #write(object: PlannedObject): Promise<Outcome> {
    const { opened, ledger } = this.place(object.change.provider);
    const { run, plan } = this.planned;
    const outcome = await writeObject(object, {
      connection: opened.connection,
      ledger,
      keeper: tokenKeeper(run.store, ledger, opened.connection.now),
      workspace: this.workspace,
      plannedAt: new Date(plan.plannedAt),
    });
    if (object.resource.inventory === undefined) await run.store.save();
    return outcome;
  }

  /** Gives a block the value that it has now, so that what comes after it can be evaluated. */
  async finishBlock(block: Block): Promise<boolean> {
    try {
      await this.#evaluate(block);
      return true;
    } catch (error) {
      const where = { address: block.address };
      if (!(error instanceof TenancyError)) throw error;
      diagnose(error, where).forEach((diagnostic) => this.progress.note(diagnostic));
      return false;
    }
  }

  async #evaluate(block: Block): Promise<void> {
    const { workspace } = this;
    switch (block.kind) {
      case "local": {
        const value = block.value.evaluate(workspace.scope());
        workspace.define(block.address, () => value);
        return;
      }
      case "resource": {
        const objects = this.planned.objects.filter((object) => object.block === block);
        if (!objects.some(({ instance }) => this.#states.has(instance.address))) return;
        workspace.define(block.address, () =>
          valueOfBlock(
            block,
            objects.map((object) => this.#instanceValue(object)),
          ),
        );
        return;
      }
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
        if (this.planned.walked.deferred.has(block.address)) await this.#readData(block);
        return;
      default:
        return;
    }
  }

  #instanceValue(object: PlannedObject): { readonly key: InstanceKey; readonly value: Marked } {
    const state = this.#states.get(object.instance.address) ?? object.change.after ?? {};
    return { key: object.instance.key, value: stateValue(state, object) };
  }

  /** A data source that had to wait for what this plan changes. */
  async #readData(block: DataBlock): Promise<void> {
    const { workspace } = this;
    const source = dataSourceOf(block.type);
    const connection = this.connection(block.provider);
    connection.directory.invalidate();
    const values: { key: InstanceKey; value: Marked }[] = [];
    for (const { key, surroundings, address } of instancesOf(block.address, block, workspace.scope())) {
      const { config } = configurationOf(
        source.description,
        block.body.evaluate(workspace.scope(surroundings)),
      );
      if (!isWhollyKnown(config)) throw new NotYetKnown(address);
      values.push({ key, value: await source.read(connection, config) });
    }
    workspace.define(block.address, () => valueOfBlock(block, values));
  }

  /** The outputs as they are now. */
  outputs(): readonly OutputChange[] {
    const scope = this.workspace.scope();
    return this.planned.walked.outputs.map((output) => {
      const block = this.planned.loaded.stack.blocks.find(
        ({ address }) => address === `output.${output.name}`,
      );
      if (block?.kind !== "output") return output;
      const value = block.value.evaluate(scope);
      return { ...output, action: "none" as const, after: bare(value) };
    });
  }
}
