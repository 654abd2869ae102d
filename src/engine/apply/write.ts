/** Creates or updates one declared object, once all its references are known. */
import { readingClock } from "../../api";
import { identityOf, recordDifference } from "../../ownership";
import { isSameChange } from "../../plan";
import { InvalidConfiguration, movedOn, notVerified, notYetKnown } from "../../problems";
import {
  grantedIn,
  type Inventory,
  isSameVersion,
  type LiveObject,
  type Outcome,
  type Proposal,
  type TokenKeeper,
} from "../../resources";
import { type Records, withIgnored } from "../../schema";
import { acceptingExtraRights } from "../../service";
import { isWhollyKnown, type ObjectValue, samePath } from "../../lib/values";
import { locateDeclared } from "../diff/record";
import { endingProposal } from "../ended";
import { withPriorKeepers } from "../tokens/plan";
import { withRotation } from "../tokens/rotation";
import { configurationOf } from "../evaluate/configuration";
import { rememberedKey } from "../entries/names";
import type { ObjectWrite } from "../entries/object-write";
import type { PlannedRun } from "../plan";
import type { PlannedObject } from "../planned-object";
import type { WriteTarget } from "../target";
import {
  compromisedEntry,
  replaceCompromised,
  requireSameStored,
  requireStillRefused,
} from "../tokens/write";
import type { Values } from "./values";

/** A PATCH needs a reading that is not older than this (design: Unchanged). */
const FRESH_MS = 30_000;

export interface WriteContext {
  readonly writeTarget: WriteTarget;
  /** The state's note of this write. The state has it on disk as begun. */
  readonly write: ObjectWrite;
  readonly keeper: TokenKeeper;
  readonly planned: PlannedRun;
  readonly values: Values;
}

/**
 * @throws TenancyError. After a refusal nothing was written. After another failure the result is unknown, and the state keeps the object as
 * pending.
 */
export async function writeObject(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { write, writeTarget, values } = context;
  try {
    InvalidConfiguration.unlessFit(values.failedBefore(object));
    const objectToWrite = withKnownConfig(object, context);
    if (objectToWrite.resource.kind === "token") {
      requireSameStored(objectToWrite, writeTarget.part);
      await requireStillRefused(objectToWrite, context);
    }
    write.started();
    const compromised = compromisedEntry(objectToWrite, writeTarget.part);
    const outcome =
      compromised !== undefined
        ? await replaceCompromised(compromised, () => create(objectToWrite, context), context)
        : objectToWrite.change.action === "create"
          ? await create(objectToWrite, context)
          : await update(objectToWrite, context);
    await write.finished(objectToWrite, outcome);
    return outcome;
  } catch (error) {
    write.failed(error);
    throw error;
  }
}

/** Returns the object with a wholly known configuration. If the plan left values unknown, they are evaluated again, and the proposal is
 * dropped. */
function withKnownConfig(object: PlannedObject, { planned, values }: WriteContext): PlannedObject {
  if (isWhollyKnown(object.config)) return object;
  const { block, instance, resource, change, rotation } = object;
  const evaluated = block.body.evaluate(planned.workspace.scope(values.surroundingsOf(object)));
  const { config, sensitive, findings } = configurationOf(resource.description, evaluated);
  planned.evaluation.noteSecrets(config, sensitive, instance.address);
  const extraRights = planned.evaluation.extraRights.get(block.provider);
  InvalidConfiguration.unlessFit([...acceptingExtraRights(findings, extraRights), ...resource.check(config)]);
  if (!isWhollyKnown(config)) throw notYetKnown.error(change.title);
  const { before } = change;
  const fit = before === null ? config : withIgnored(config, before, block.lifecycle.ignoreChanges);
  const wholeConfig = withRotation(fit, rotation);
  return {
    ...object,
    config: object.isWaiting === true ? withPriorKeepers(wholeConfig, before) : wholeConfig,
    // The plan has found most of them.
    sensitive: [
      ...object.sensitive,
      ...sensitive.filter((path) => !object.sensitive.some((one) => samePath(one, path))),
    ],
    proposal: undefined,
  };
}

async function create(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, config } = object;
  const { writeTarget, keeper, planned, write } = context;
  const { owner } = writeTarget.part.objects;
  await requireGone(object, writeTarget);
  // A compromised token was planned as an update.
  const proposal =
    object.proposal?.action === "create"
      ? object.proposal
      : resource.propose(config, null, { asOf: plannedAt(planned) });
  return resource.create(writeTarget.connection, {
    planned: proposal.planned,
    config,
    keeper,
    uuid: write.uuid,
    ...(owner !== undefined && { owner }),
  });
}

/** A recorded object is created again only if the service does not answer for its id either. @throws notVerified */
async function requireGone({ resource, change }: PlannedObject, writeTarget: WriteTarget): Promise<void> {
  const { kind, inventory, description } = resource;
  const { connection, part } = writeTarget;
  const record = part.objects.recordAt(rememberedKey({ resource, change }));
  if (kind === "token" || record?.id === undefined) return;
  const self = await inventory.find(connection.client, record.id);
  if (self === undefined || recordDifference(identityOf(self), record) !== undefined) return;
  const name = `${description.noun} ${JSON.stringify(change.title)}`;
  throw notVerified.error(`${name} is not listed, and the service still answers for its id ${record.id}`);
}

function plannedAt({ plan }: PlannedRun): Date {
  return new Date(plan.plannedAt);
}

async function update(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, config, change, rotation, isWaiting } = object;
  const { writeTarget, keeper, planned } = context;
  const rotate = rotation !== undefined;
  const asOf = plannedAt(planned);
  const replanned = await replanIfChanged(object, context);
  const prior = replanned?.prior ?? change.before ?? {};
  const proposal =
    replanned?.proposal ?? object.proposal ?? resource.propose(config, prior, { asOf, rotate, isWaiting });
  return resource.update(writeTarget.connection, {
    prior,
    planned: proposal.planned,
    config,
    expected: "compared",
    asOf,
    rotate,
    isWaiting,
    granted: replanned?.granted ?? change.granted,
    recordVersions: false,
    keeper,
  });
}

/**
 * Reads the record again if the plan's reading is old.
 * @returns the live state of a changed record, with a new proposal of the planned change; undefined if no change is visible
 * @throws movedOn if the new proposal is another change
 */
async function replanIfChanged(
  object: PlannedObject,
  { writeTarget, planned }: WriteContext,
): Promise<
  | {
      readonly prior: ObjectValue;
      readonly proposal: Proposal;
      readonly granted: readonly string[] | undefined;
    }
  | undefined
> {
  const { resource, config, change, lookup } = object;
  const { kind, inventory, description } = resource;
  const { observedRecord } = change;
  if (kind === "token" || observedRecord === undefined) return undefined;
  if (readingClock() - observedRecord.readAt < FRESH_MS) return undefined;
  const liveState = (records: Records) => inventory.stateOf(records, change.before ?? {}, plannedAt(planned));
  if (object.ends !== undefined) {
    // Ended access is removed even if the record has changed: its holder could change it before each run. The rest stays as it is by now.
    const snapshot = await writeTarget.lists(FRESH_MS);
    const self = inventory.listed(observedRecord.id, snapshot);
    if (self === undefined) return undefined;
    const records = inventory.recordsOf(self, snapshot);
    const prior = liveState(records);
    return {
      prior,
      proposal: endingProposal(description, prior, Object.keys(object.ends)),
      granted: grantedIn(description.attributes, records),
    };
  }
  const live = await lookAgain(object, inventory, writeTarget);
  const now = inventory.expectation(live.records);
  const { seq, ...identity } = observedRecord;
  const difference = recordDifference({ ...now, key: inventory.textOf(live.key) }, identity, ["uuid"]);
  if (difference !== undefined)
    throw movedOn.error({ noun: description.noun, key: change.title, what: difference });
  // An account changes with its primary user profile, too.
  const { partSeq } = lookup?.kind === "live" ? inventory.expectation(lookup.records) : {};
  if (isSameVersion(now, { seq, partSeq }) && now.partSeq === partSeq) return undefined;
  const prior = liveState(live.records);
  const proposal = resource.propose(config, prior, { asOf: plannedAt(planned) });
  if (isSameChange(change, { action: proposal.action, attributes: proposal.changes }))
    return { prior, proposal, granted: grantedIn(description.attributes, live.records) };
  throw movedOn.error({
    noun: description.noun,
    key: change.title,
    what: "what would change is not what was planned",
  });
}

async function lookAgain(
  object: PlannedObject,
  inventory: Inventory,
  writeTarget: WriteTarget,
): Promise<LiveObject> {
  const { change, resource } = object;
  const lookup = locateDeclared(object, inventory, await writeTarget.lists(FRESH_MS));
  switch (lookup.kind) {
    case "live":
      return lookup;
    case "refused":
      throw lookup.error;
    case "unknown":
      throw notYetKnown.error(change.title);
    case "absent": {
      // Lists may be incomplete: a record that they do not show is read by its id before it counts as gone.
      const record = await inventory.find(writeTarget.connection.client, change.observedRecord?.id ?? "");
      throw movedOn.error({
        noun: resource.description.noun,
        key: change.title,
        what: record === undefined ? "it is gone" : "the lists of the service do not show it any more",
      });
    }
  }
}
