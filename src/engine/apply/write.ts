/** Creates or updates one declared object, once all its references are known. */
import { readingClock } from "../../api";
import type { Ledger, TokenEntry } from "../../credentials";
import { recordDifference } from "../../ownership";
import { isSameChange } from "../../plan";
import {
  InvalidConfiguration,
  movedOn,
  notYetKnown,
  revokedNotReplaced,
  SeveralFailures,
  TenancyError,
} from "../../problems";
import {
  type Inventory,
  isSameVersion,
  type LiveObject,
  type Outcome,
  type Proposal,
  type TokenKeeper,
} from "../../resources";
import { withIgnored } from "../../schema";
import { isWhollyKnown, type ObjectValue } from "../../lib/values";
import { locateDeclared } from "../diff/record";
import { loginOf, tokenKey } from "../tokens/identity";
import { withRotation } from "../tokens/rotation";
import { configurationOf } from "../evaluate/configuration";
import { removeToken } from "../memory/names";
import type { ObjectWrite } from "../memory/object-write";
import type { PlannedRun } from "../plan";
import type { PlannedObject } from "../planned-object";
import type { WriteTarget } from "../target";
import { failedRevocationsOf, revokeNoted } from "../tokens/revocations";
import { forgetRefused, notedRefusals } from "../tokens/refusals";
import type { Values } from "./values";

/** A PATCH needs a reading that is not older than this (design: Unchanged). */
const FRESH_MS = 30_000;

export interface WriteContext {
  readonly writeTarget: WriteTarget;
  /** The store's note of this write. The store has it on disk as begun. */
  readonly write: ObjectWrite;
  readonly keeper: TokenKeeper;
  readonly planned: PlannedRun;
  readonly values: Values;
}

/**
 * @throws TenancyError. After a refusal nothing was written. After another failure nobody knows, and the store keeps the object as
 * pending.
 */
export async function writeObject(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { write, writeTarget, values } = context;
  try {
    InvalidConfiguration.unlessFit(values.failedBefore(object));
    const objectToWrite = withKnownConfig(object, context);
    requireSameStoredToken(objectToWrite, writeTarget.ledger);
    await requireStillRefused(objectToWrite, context);
    write.started();
    const compromised =
      objectToWrite.rotation?.compromised === true ? entryOf(objectToWrite, writeTarget.ledger) : undefined;
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
  planned.walked.noteSecrets(config, sensitive, instance.address);
  InvalidConfiguration.unlessFit([...findings, ...resource.check(config)]);
  if (!isWhollyKnown(config)) throw notYetKnown.error(change.title);
  const { before } = change;
  const fit = before === null ? config : withIgnored(config, before, block.lifecycle.ignoreChanges);
  return {
    ...object,
    config: withRotation(fit, rotation),
    sensitive: [...object.sensitive, ...sensitive],
    proposal: undefined,
  };
}

/** The store was locked only after the plan: another run may have created or rotated the token since. */
function requireSameStoredToken(object: PlannedObject, ledger: Ledger): void {
  const { resource, target, change } = object;
  if (resource.kind === "record") return;
  if (entryOf(object, ledger)?.record.serial !== entryOf(object, target.ledger)?.record.serial)
    throw movedOn.error({
      noun: "token",
      key: change.title,
      what: "another run has created, rotated or revoked it",
    });
}

/**
 * Tries a token that is noted as refused once more before its successor is created, because the refusal may have been temporary. The
 * tokens that it replaced, and that are noted as refused, are tried, too.
 * @throws movedOn where the service refuses one of them no longer; what was noted of that one is forgotten
 */
async function requireStillRefused(
  object: PlannedObject,
  { writeTarget, planned }: WriteContext,
): Promise<void> {
  const { resource, target, change, rotation } = object;
  if (resource.kind === "record" || rotation?.compromised === true) return;
  const entry = entryOf(object, writeTarget.ledger);
  if (entry === undefined || !target.refused.has(entry.record.serial)) return;
  const goodPredecessors = notedRefusals(writeTarget.ledger).get(entry.record.serial);
  if (goodPredecessors === undefined) return;
  const accepted: string[] = [];
  for (const { serial, access_token: token } of [entry.record, ...entry.previous]) {
    if (goodPredecessors.includes(serial)) continue;
    const { status } = await writeTarget.connection.client.callerAs({ kind: "bearer", token });
    if (status === 401) continue;
    accepted.push(`${serial} (${status})`);
    forgetRefused(writeTarget.ledger, entry, [serial]);
  }
  if (accepted.length === 0) return;
  await planned.run.store.save();
  throw movedOn.error(
    {
      noun: "token",
      key: change.title,
      what: `the service accepts or knows it after all: ${accepted.join(", ")}`,
    },
    { advice: () => "Run again: then the token counts as good, and no new one takes its place." },
  );
}

/** The stored entry of a declared token. */
function entryOf(object: PlannedObject, { tokens }: Ledger): TokenEntry | undefined {
  const login = loginOf(object);
  const name = object.config["name"];
  return login !== undefined && typeof name === "string" ? tokens.get({ login, name }) : undefined;
}

async function create(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, config } = object;
  const { writeTarget, keeper, planned } = context;
  // A compromised token was planned as an update.
  const proposal =
    object.proposal?.action === "create"
      ? object.proposal
      : resource.propose(config, null, { asOf: plannedAt(planned) });
  return resource.create(writeTarget.connection, { planned: proposal.planned, config, keeper });
}

function plannedAt({ plan }: PlannedRun): Date {
  return new Date(plan.plannedAt);
}

async function update(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, config, change, rotation } = object;
  const { writeTarget, keeper, planned } = context;
  const rotate = rotation !== undefined;
  const asOf = plannedAt(planned);
  const replanned = await replanIfChanged(object, context);
  const prior = replanned?.prior ?? change.before ?? {};
  const proposal =
    replanned?.proposal ?? object.proposal ?? resource.propose(config, prior, { asOf, rotate });
  return resource.update(writeTarget.connection, {
    prior,
    planned: proposal.planned,
    config,
    expected: "compared",
    asOf,
    rotate,
    recordVersions: false,
    keeper,
  });
}

/**
 * Reads the record again if the reading of the plan is old.
 * @returns the live state of a record that has changed, with the planned change proposed anew; undefined if nothing shows that it has
 *   changed
 * @throws movedOn if the new proposal is another change
 */
async function replanIfChanged(
  object: PlannedObject,
  { writeTarget, planned }: WriteContext,
): Promise<{ readonly prior: ObjectValue; readonly proposal: Proposal } | undefined> {
  const { resource, config, change, lookup } = object;
  const { kind, inventory, description } = resource;
  const { observedRecord } = change;
  if (kind === "token" || observedRecord === undefined) return undefined;
  if (readingClock() - observedRecord.readAt < FRESH_MS) return undefined;
  const live = await lookAgain(object, inventory, writeTarget);
  const now = inventory.expectation(live.records);
  const { seq, ...identity } = observedRecord;
  const difference = recordDifference({ ...now, key: inventory.textOf(live.key) }, identity, ["uuid"]);
  if (difference !== undefined)
    throw movedOn.error({ noun: description.noun, key: change.title, what: difference });
  // An account changes with its primary user profile, too.
  const { partSeq } = lookup?.kind === "live" ? inventory.expectation(lookup.records) : {};
  if (isSameVersion(now, { seq, partSeq }) && now.partSeq === partSeq) return undefined;
  const prior = inventory.stateOf(live.records, change.before ?? {});
  const proposal = resource.propose(config, prior, { asOf: plannedAt(planned) });
  if (isSameChange(change, { action: proposal.action, attributes: proposal.changes }))
    return { prior, proposal };
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

/**
 * Replaces a compromised token. The old token and those before it are revoked in any case.
 * @param createNew creates the new one, and keeps it durably
 * @returns the new token; errors among the findings mean that an old one is still good
 * @throws revokedNotReplaced, or what went wrong with creating tokens and with revoking
 */
async function replaceCompromised(
  entry: TokenEntry,
  createNew: () => Promise<Outcome>,
  { planned, writeTarget: { connection, ledger } }: WriteContext,
): Promise<Outcome> {
  const { store } = planned.run;
  const replaced = failedRevocationsOf(entry, connection.now());
  // If this run is interrupted, every later one continues to revoke.
  replaced.forEach((one) => ledger.failedRevocations.put(one));
  await store.save();
  const created = await tried(createNew);
  // A new token that could not be kept has taken the notes with it.
  replaced.forEach((one) => ledger.failedRevocations.put(one));
  const failures = await revokeNoted(connection, ledger, replaced);
  if (!(created instanceof TenancyError)) {
    return {
      ...created,
      findings: [...created.findings, ...failures.flatMap((failure) => failure.toFindings())],
    };
  }
  removeToken(ledger, entry);
  await store.save();
  if (failures.length > 0) throw new SeveralFailures([created, ...failures]);
  const [, ...more] = created.toFindings();
  throw revokedNotReplaced
    .error({ key: tokenKey(entry), failure: created }, { cause: created })
    .telling(more);
}

async function tried(createNew: () => Promise<Outcome>): Promise<Outcome | TenancyError> {
  try {
    return await createNew();
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}
