/** Creates or updates one declared object, when everything that it refers to is known. */
import { performance } from "node:perf_hooks";
import type { Ledger } from "../../credentials";
import { InvalidConfiguration, MovedOn, NotYetKnown } from "../../errors";
import type { Change } from "../../plan";
import type { Connection, Inventory, LiveObject, Outcome, Proposal, TokenKeeper } from "../../resources";
import { isUnknown, isWhollyKnown, stringifyJson, type ObjectValue, type Value } from "../../values";
import { configurationOf } from "../planning/configuration";
import { withIgnored } from "../planning/ignored";
import { keyText } from "../planning/key-text";
import type { PlannedObject } from "../planning/planned-object";
import { tokenOfState } from "../store/token-state";
import type { Workspace } from "../workspace";
import { noteRecorded, noteWritten } from "./memory-notes";

/** A reading older than this is taken again before a PATCH (design §7, "Unchanged"). */
const FRESH_MS = 30_000;

export interface WriteContext {
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly keeper: TokenKeeper;
  readonly workspace: Workspace;
  readonly plannedAt: Date;
}

/** @throws TenancyError where nothing was written */
export async function writeObject(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const known = withKnownConfig(object, context.workspace);
  const outcome =
    object.change.action === "create" ? await create(known, context) : await update(known, context);
  await note(known, outcome, context);
  return outcome;
}

/** The configuration, evaluated again where the plan had to leave something open. */
function withKnownConfig(object: PlannedObject, workspace: Workspace): PlannedObject {
  if (isWhollyKnown(object.config)) return object;
  const { block, instance, resource, change } = object;
  const evaluated = block.body.evaluate(workspace.scope(instance.surroundings));
  const { config, diagnostics } = configurationOf(resource.description, evaluated);
  const errors = [...diagnostics, ...resource.check(config)].filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new InvalidConfiguration(errors);
  if (!isWhollyKnown(config)) throw new NotYetKnown(change.key);
  return { ...object, config };
}

async function create(
  object: PlannedObject,
  { connection, keeper, plannedAt }: WriteContext,
): Promise<Outcome> {
  const { resource, config } = object;
  const { planned } = resource.propose(config, null, { asOf: plannedAt });
  return resource.create(connection, { planned, config, keeper });
}

async function update(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, block, change } = object;
  const { connection, keeper, plannedAt } = context;
  const before = change.before ?? {};
  const config = withIgnored(object.config, before, block.lifecycle.ignoreChanges);
  const prior = await priorOf(object, before, config, context);
  const { planned } = resource.propose(config, prior, { asOf: plannedAt });
  return resource.update(connection, {
    prior,
    planned,
    config,
    expected: "judged",
    sendMasked: true,
    asOf: plannedAt,
    recordVersions: false,
    keeper,
  });
}

/** The state that the plan was made from; where that is old, it is read again, and must lead to the same plan. */
async function priorOf(
  object: PlannedObject,
  before: ObjectValue,
  config: ObjectValue,
  { connection, plannedAt }: WriteContext,
): Promise<ObjectValue> {
  const { resource, change } = object;
  const { inventory } = resource;
  const { sighting } = change;
  if (inventory === undefined || sighting === undefined) return before;
  if (performance.now() - sighting.readAt < FRESH_MS) return before;
  const live = await lookAgain(object, inventory, connection);
  const now = inventory.expectation(live.records);
  const noun = resource.description.name.replaceAll("_", " ");
  if (
    now.uuid !== sighting.uuid ||
    keyText(live.key) !== sighting.key ||
    now.accountId !== sighting.accountId
  ) {
    throw new MovedOn(noun, change.key, "it is not the same object any more");
  }
  if (now.seq === sighting.seq) return before;
  const prior = inventory.stateOf(live.records, before);
  const anew = resource.propose(config, prior, { asOf: plannedAt });
  if (!isSamePlan(change, anew))
    throw new MovedOn(noun, change.key, "what would change is not what was planned");
  return prior;
}

async function lookAgain(
  object: PlannedObject,
  inventory: Inventory,
  connection: Connection,
): Promise<LiveObject> {
  const { config, target, change } = object;
  connection.directory.invalidate();
  const sought = inventory.locate(config, await connection.directory.snapshot(), target.owners);
  if (sought.kind === "live") return sought;
  throw new MovedOn(object.resource.description.name.replaceAll("_", " "), change.key, "it is gone");
}

function isSamePlan(change: Change, { action, changes }: Proposal): boolean {
  if (action !== change.action || changes.length !== change.attributes.length) return false;
  const marks = (list: Change["attributes"]) =>
    list.map(({ path, before, after }) => [path, write(before), write(after)]);
  return stringifyJson(marks(changes)) === stringifyJson(marks(change.attributes));
}

function write(value: Value): string {
  return isUnknown(value) || !isWhollyKnown(value) ? "unknown" : stringifyJson(value);
}

/** What the next run must know, and the service will not tell. */
async function note(
  object: PlannedObject,
  { state, records }: Outcome,
  { ledger }: WriteContext,
): Promise<void> {
  const { resource, config } = object;
  if (resource.inventory === undefined) {
    ledger.tokens.put(tokenOfState(state));
    return;
  }
  if (records === undefined) return;
  const remembered = object.remembered ?? rememberedAs(object, state);
  await noteWritten(ledger, remembered, resource.description.attributes, config, records);
  await noteRecorded(ledger, remembered, object.recorded, config);
}

function rememberedAs({ resource }: PlannedObject, state: ObjectValue) {
  const kind = resource.description.name;
  const key = kind === "account" ? state["name"] : state["login"];
  return { key: `${kind}:${String(key)}`, uuid: String(state["uuid"] ?? "") };
}
