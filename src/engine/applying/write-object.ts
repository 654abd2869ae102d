/** Creates or updates one declared object, when everything that it refers to is known. */
import { readingClock } from "../../api";
import type { Ledger, TokenEntry } from "../../credentials";
import { InvalidConfiguration, MovedOn, NotYetKnown } from "../../errors";
import { isSameChange } from "../../plan";
import type { Inventory, LiveObject, Outcome, TokenKeeper } from "../../resources";
import { differenceOf } from "../../resources/record/unchanged";
import { isWhollyKnown, type ObjectValue } from "../../values";
import { configurationOf } from "../planning/configuration";
import { withIgnored } from "../planning/ignored";
import { loginOf } from "../planning/plan-token";
import type { PlannedObject } from "../planning/planned-object";
import { withRotation } from "../planning/rotation";
import { tokenOfState } from "../store/token-state";
import type { Surroundings, Workspace } from "../workspace";
import { noteRecorded, noteWritten } from "./memory-notes";
import type { Place } from "./place";
import { replaceCompromised } from "./replace-compromised";

/** A reading older than this is taken again before a PATCH (design: Unchanged). */
const FRESH_MS = 30_000;

export interface WriteContext {
  readonly place: Place;
  readonly keeper: TokenKeeper;
  readonly workspace: Workspace;
  /** What the object can refer to besides, as far as it is known by now. */
  readonly surroundings: Surroundings;
  readonly plannedAt: Date;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/** @throws TenancyError where nothing was written */
export async function writeObject(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const known = withKnownConfig(object, context);
  requireSameStore(known, context.place.ledger);
  const outcome = await written(known, context);
  await note(known, outcome, context.place.ledger);
  return outcome;
}

async function written(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { change, rotation } = object;
  const { ledger, connection } = context.place;
  const entry = rotation?.compromised === true ? entryOf(object, ledger) : undefined;
  if (entry !== undefined) {
    const mint = () => create(object, context);
    return replaceCompromised({ entry, connection, ledger, mint, save: context.save });
  }
  return change.action === "create" ? create(object, context) : update(object, context);
}

/** The configuration, evaluated again where the plan had to leave something open. */
function withKnownConfig(object: PlannedObject, { workspace, surroundings }: WriteContext): PlannedObject {
  if (isWhollyKnown(object.config)) return object;
  const { block, resource, change } = object;
  const evaluated = block.body.evaluate(workspace.scope(surroundings));
  const { config, diagnostics } = configurationOf(resource.description, evaluated);
  InvalidConfiguration.unlessFit([...diagnostics, ...resource.check(config)]);
  if (!isWhollyKnown(config)) throw new NotYetKnown(change.title);
  return { ...object, config: withRotation(config, object.rotation) };
}

/** The store is locked only now: another run may have minted or rotated the token since the plan was made. */
function requireSameStore(object: PlannedObject, ledger: Ledger): void {
  const { resource, target, change } = object;
  if (resource.inventory !== undefined) return;
  if (entryOf(object, ledger)?.record.serial !== entryOf(object, target.ledger)?.record.serial)
    throw new MovedOn("token", change.title, "another run has minted it");
}

/** What a store keeps of a declared token. */
function entryOf(object: PlannedObject, { tokens }: Ledger): TokenEntry | undefined {
  const login = loginOf(object);
  const name = object.config["name"];
  return login !== undefined && typeof name === "string" ? tokens.get({ login, name }) : undefined;
}

async function create({ resource, config }: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { place, keeper } = context;
  return resource.create(place.connection, { config, keeper });
}

async function update(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, block, change } = object;
  const { place, keeper, plannedAt } = context;
  const before = change.before ?? {};
  const config = withIgnored(object.config, before, block.lifecycle.ignoreChanges);
  const prior = await priorOf(object, before, config, context);
  const rotate = object.rotation !== undefined;
  const { planned } = resource.propose(config, prior, { asOf: plannedAt, rotate });
  return resource.update(place.connection, {
    prior,
    planned,
    config,
    expected: "judged",
    sendMasked: true,
    asOf: plannedAt,
    rotate,
    recordVersions: false,
    keeper,
  });
}

/** The state that the plan was made from; where that is old, it is read again, and must lead to the same plan. */
async function priorOf(
  object: PlannedObject,
  before: ObjectValue,
  config: ObjectValue,
  { place, plannedAt }: WriteContext,
): Promise<ObjectValue> {
  const { resource, change } = object;
  const { inventory, description } = resource;
  const { sighting } = change;
  if (inventory === undefined || sighting === undefined) return before;
  if (readingClock() - sighting.readAt < FRESH_MS) return before;
  const live = await lookAgain(object, inventory, place);
  const now = inventory.expectation(live.records);
  const { uuid, accountId, seq } = sighting;
  const difference = differenceOf(
    { ...now, key: inventory.textOf(live.key) },
    { uuid, accountId, key: sighting.key },
  );
  if (difference !== undefined) throw new MovedOn(description.noun, change.title, difference);
  if (now.seq === seq) return before;
  const prior = inventory.stateOf(live.records, before);
  const anew = resource.propose(config, prior, { asOf: plannedAt });
  if (isSameChange(change, { action: anew.action, attributes: anew.changes })) return prior;
  throw new MovedOn(description.noun, change.title, "what would change is not what was planned");
}

async function lookAgain(object: PlannedObject, inventory: Inventory, place: Place): Promise<LiveObject> {
  const { config, target, change, resource } = object;
  const sought = inventory.locate(config, await place.lists(FRESH_MS), target.owners);
  switch (sought.kind) {
    case "live":
      return sought;
    case "refused":
      throw sought.error;
    case "unknown":
      throw new NotYetKnown(change.title);
    case "absent": {
      // Lists may be short: what they do not show is asked for by its id before it is called gone.
      const found = await inventory.find(place.connection.client, change.sighting?.id ?? "");
      throw new MovedOn(
        resource.description.noun,
        change.title,
        found === undefined ? "it is gone" : "the lists of the service do not show it any more",
      );
    }
  }
}

/** What the next run must know, and the service will not tell. */
async function note(object: PlannedObject, outcome: Outcome, ledger: Ledger): Promise<void> {
  const { resource, config, change, sought } = object;
  const { state } = outcome;
  const { inventory } = resource;
  if (inventory === undefined) {
    ledger.tokens.put(tokenOfState(state));
    return;
  }
  // Where there was nothing to send, the record is as the plan saw it.
  const records = outcome.records ?? (sought?.kind === "live" ? sought.records : undefined);
  if (records === undefined) return;
  const remembered = rememberedAs(object, inventory, state);
  // What was remembered of an earlier object under the same key is not about this one, though its uuid may be the same.
  if (change.action === "create") ledger.objects.forget(remembered.key);
  await noteWritten(ledger, remembered, {
    attributes: resource.description.attributes,
    config,
    state,
    records,
  });
  await noteRecorded(ledger, remembered, object.recorded, config);
}

function rememberedAs({ resource, remembered }: PlannedObject, inventory: Inventory, state: ObjectValue) {
  if (remembered !== undefined) return remembered;
  const { key = "", uuid = "" } = inventory.expectation({ self: state });
  return { key: `${resource.description.name}:${key}`, uuid };
}
