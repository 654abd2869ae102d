/** Does what is planned for one declared object. */
import type { TokenIdentity } from "../../credentials";
import { AbsentStore, InvalidConfiguration, MovedOn, placed, placeOf, type Whereabouts } from "../../errors";
import { tokenKey } from "../planning/plan-token";
import type { PlannedObject } from "../planning/planned-object";
import { stateValue } from "../planning/state-value";
import type { PlannedRun } from "../plan-stack";
import { isDoubtful } from "../store/doubt";
import { tokenKeeper } from "../store/keeper";
import { diagnose } from "./diagnose";
import { noteRecorded } from "./memory-notes";
import { placeFor, type Places } from "./open-places";
import type { Place } from "./place";
import type { Done, Progress } from "./progress";
import type { Values } from "./values";
import { writeObject } from "./write-object";

export class Applier {
  constructor(
    private readonly planned: PlannedRun,
    private readonly places: Places,
    private readonly values: Values,
    private readonly progress: Progress,
  ) {}

  /** @returns whether it succeeded; what failed is in the progress */
  async apply(object: PlannedObject): Promise<boolean> {
    const { change, block, instance } = object;
    const where = placeOf(block, instance.address);
    const deed = change.action === "create" ? "create" : "update";
    try {
      await this.#requireGoodToken(object, where);
      if (change.action === "none") {
        await this.#record(object);
        return true;
      }
    } catch (error) {
      return this.progress.fail(change, deed, diagnose(error, where));
    }
    const act = () => this.#write(object, where);
    return this.progress.deed(change, deed, act, (error) => diagnose(error, where));
  }

  async #write(object: PlannedObject, where: Whereabouts): Promise<Done> {
    const { workspace, plan, run } = this.planned;
    const { resource, sensitive } = object;
    InvalidConfiguration.unlessFit(this.values.failedBefore(object));
    const place = placeFor(this.places, object.change.provider);
    const outcome = await writeObject(object, {
      place,
      keeper: tokenKeeper({
        store: run.store,
        ledger: place.ledger,
        now: place.connection.now,
        demand: (token) => this.#demandMintable(token, place),
      }),
      workspace,
      surroundings: this.values.surroundingsOf(object),
      plannedAt: new Date(plan.plannedAt),
      save: () => run.store.save(),
    });
    // A secret that is not kept is lost, so a token is durable before anything else happens.
    if (resource.inventory === undefined) await run.store.save();
    this.values.note(object, outcome.state);
    const { id } = outcome.state;
    const self = stateValue(outcome.state, { description: resource.description, sensitive });
    return {
      id: typeof id === "string" ? id : undefined,
      diagnostics: [...placed(outcome.diagnostics, where), ...this.values.failedAfter(object, self)],
    };
  }

  /** A login that the plan did not know yet is judged now. */
  #demandMintable(token: TokenIdentity, { ledger, target: { snapshot } }: Place): void {
    const { run, options } = this.planned;
    if (options.initStore === true || !isDoubtful({ ledger, snapshot }, token)) return;
    throw new AbsentStore(run.store.description, ledger, [tokenKey(token)]);
  }

  /** What the plan took as declared because nothing was remembered of it. */
  async #record({ recorded, remembered, change, config }: PlannedObject): Promise<void> {
    if (recorded.length === 0 || remembered === undefined) return;
    await noteRecorded(placeFor(this.places, change.provider).ledger, remembered, recorded, config);
  }

  /** Tokens were trusted from the store at plan; one that is gone since has another plan than the one that was shown. */
  async #requireGoodToken({ resource, change, rotation }: PlannedObject, where: Whereabouts): Promise<void> {
    if (resource.inventory !== undefined || change.before === null) return;
    if (this.planned.options.verifyTokens === true || rotation !== undefined) return;
    const { connection } = placeFor(this.places, change.provider);
    const outcome = await resource.read(connection, change.before);
    if (outcome === undefined) {
      throw new MovedOn("token", change.title, "the service refuses it", {
        advice: "Run again with --verify-tokens: then a new one is minted.",
      });
    }
    for (const diagnostic of placed(outcome.diagnostics, where)) this.progress.note(diagnostic);
  }
}
