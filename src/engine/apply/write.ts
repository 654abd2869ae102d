/** Creates or updates one declared object, once all its references are known. */
import { readingClock } from "../../api";
import type { Ledger, TokenEntry } from "../../credentials";
import { isSameChange } from "../../plan";
import {
  ApiError,
  conflict,
  type Finding,
  forbidden,
  unmanagedObject,
  InvalidConfiguration,
  isError,
  movedOn,
  notTaken,
  notYetKnown,
  revokedNotReplaced,
  SeveralFailures,
  TenancyError,
  validationRefused,
} from "../../problems";
import {
  differenceOf,
  type Inventory,
  isSameVersion,
  type LiveObject,
  type Outcome,
  type Proposal,
  type TokenKeeper,
} from "../../resources";
import { withIgnored } from "../../schema";
import type { Connection } from "../../service";
import { isWhollyKnown, type ObjectValue } from "../../lib/values";
import { locateDeclared } from "../diff/record";
import { loginOf, tokenKey, withRotation } from "../diff/token";
import {
  managedRecordIn,
  recordApplied,
  noteRecorded,
  noteUnwritten,
  noteWritten,
  rememberedToken,
  removeToken,
} from "../drift/memory";
import { configurationOf } from "../evaluate/configuration";
import type { Workspace } from "../evaluate/workspace";
import { rememberedRecord } from "../families";
import type { PlannedObject, Surroundings, EvaluationResult, WriteTarget } from "../stages";
import {
  failedRevocationsOf,
  forgetRefused,
  identityOf,
  notedRefusals,
  revokeNoted,
  tokenOfState,
} from "../store";

/** A PATCH needs a reading that is not older than this (design: Unchanged). */
const FRESH_MS = 30_000;

interface WriteContext {
  readonly writeTarget: WriteTarget;
  readonly keeper: TokenKeeper;
  /** What the object's preconditions say now. */
  readonly failedBefore: () => readonly Finding[];
  readonly workspace: Workspace;
  /** Called for values that were unknown to the plan. */
  readonly noteSecrets: EvaluationResult["noteSecrets"];
  /** Further values that the object can refer to, as far as they are known by now. */
  readonly surroundings: Surroundings;
  readonly plannedAt: Date;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/** @throws TenancyError where nothing was written */
export async function writeObject(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { ledger } = context.writeTarget;
  let isBegun = false;
  try {
    InvalidConfiguration.unlessFit(context.failedBefore());
    const known = withKnownConfig(object, context);
    requireSameStore(known, ledger);
    await requireEnded(known, context);
    isBegun = true;
    const outcome = await sendWrite(known, context);
    await note(known, outcome, ledger);
    return outcome;
  } catch (error) {
    // A refusal leaves the object as it was. After any other failure nobody knows.
    if (!isBegun || isRefusal(error)) noteUnwritten(object, ledger);
    throw error;
  }
}

/** Where a request was repeated, an earlier attempt may have been carried out, and its answer lost: the refusal of the last one tells nothing. */
function isRefusal(error: unknown): boolean {
  const isRepeated = error instanceof ApiError && (error.request.attempt ?? 1) > 1;
  return !isRepeated && REFUSALS.some((refusal) => refusal.is(error));
}

const REFUSALS = [conflict, unmanagedObject, forbidden, movedOn, validationRefused];

/** Whether it is known of every value if it was written. Of an update with two requests, the result of the second may be unknown. */
function isCertain({ findings }: Outcome): boolean {
  const known = [...REFUSALS, notTaken].map(({ code }) => code);
  return findings.filter(isError).every(({ code }) => known.some((one) => one === code));
}

async function sendWrite(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { change, rotation } = object;
  const { ledger, connection } = context.writeTarget;
  const entry = rotation?.compromised === true ? entryOf(object, ledger) : undefined;
  if (entry !== undefined) {
    const mint = () => create(object, context);
    return replaceCompromised({ entry, connection, ledger, mint, save: context.save });
  }
  return change.action === "create" ? create(object, context) : update(object, context);
}

/** The configuration, evaluated again if the plan had to leave something open; what was proposed of it no longer counts then. */
function withKnownConfig(
  object: PlannedObject,
  { workspace, surroundings, noteSecrets }: WriteContext,
): PlannedObject {
  if (isWhollyKnown(object.config)) return object;
  const { block, instance, resource, change, rotation } = object;
  const evaluated = block.body.evaluate(workspace.scope(surroundings));
  const { config, sensitive, findings } = configurationOf(resource.description, evaluated);
  noteSecrets(config, sensitive, instance.address);
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
function requireSameStore(object: PlannedObject, ledger: Ledger): void {
  const { resource, target, change } = object;
  if (resource.kind === "record") return;
  if (entryOf(object, ledger)?.record.serial !== entryOf(object, target.ledger)?.record.serial)
    throw movedOn.error({ noun: "token", key: change.title, what: "another run has created it" });
}

/**
 * A token that is noted as refused gets a successor, and is revoked at once. What proved its end may have passed since, so it is tried once
 * more beforehand, with those that it replaced and that are noted with it.
 * @throws movedOn where the service refuses one of them no longer; what was noted of that one is forgotten
 */
async function requireEnded(object: PlannedObject, { writeTarget, save }: WriteContext): Promise<void> {
  const { resource, target, change, rotation } = object;
  if (resource.kind === "record" || rotation?.compromised === true) return;
  const entry = entryOf(object, writeTarget.ledger);
  if (entry === undefined || !target.refused.has(entry.record.serial)) return;
  const left = notedRefusals(writeTarget.ledger).get(entry.record.serial);
  if (left === undefined) return;
  const known: string[] = [];
  for (const { serial, access_token: token } of [entry.record, ...entry.previous]) {
    if (left.includes(serial)) continue;
    const { status } = await writeTarget.connection.client.callerAs({ kind: "bearer", token });
    if (status === 401) continue;
    known.push(`${serial} (${status})`);
    forgetRefused(writeTarget.ledger, entry, [serial]);
  }
  if (known.length === 0) return;
  await save();
  throw movedOn.error(
    {
      noun: "token",
      key: change.title,
      what: `the service accepts or knows it after all: ${known.join(", ")}`,
    },
    { advice: () => "Run again: then the token counts as good, and no new one takes its place." },
  );
}

/** What a store keeps of a declared token. */
function entryOf(object: PlannedObject, { tokens }: Ledger): TokenEntry | undefined {
  const login = loginOf(object);
  const name = object.config["name"];
  return login !== undefined && typeof name === "string" ? tokens.get({ login, name }) : undefined;
}

async function create(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, config, proposal: kept } = object;
  const { writeTarget, keeper, plannedAt } = context;
  // A compromised token was planned as an update.
  const proposal = kept?.action === "create" ? kept : resource.propose(config, null, { asOf: plannedAt });
  return resource.create(writeTarget.connection, { planned: proposal.planned, config, keeper });
}

async function update(object: PlannedObject, context: WriteContext): Promise<Outcome> {
  const { resource, config, change, rotation } = object;
  const { writeTarget, keeper, plannedAt } = context;
  const rotate = rotation !== undefined;
  const before = change.before ?? {};
  const moved = await movedTo(object, before, context);
  const prior = moved?.prior ?? before;
  const proposal =
    moved?.proposal ?? object.proposal ?? resource.propose(config, prior, { asOf: plannedAt, rotate });
  return resource.update(writeTarget.connection, {
    prior,
    planned: proposal.planned,
    config,
    expected: "judged",
    asOf: plannedAt,
    rotate,
    recordVersions: false,
    keeper,
  });
}

/** A record that has moved since the plan, and what is proposed for it now: the same change as before. */
interface Moved {
  readonly prior: ObjectValue;
  readonly proposal: Proposal;
}

/**
 * Reads the record again if the reading of the plan is old.
 * @returns undefined where the record is as the plan saw it, as far as anybody can tell
 * @throws movedOn where it has moved so that another change would follow
 */
async function movedTo(
  object: PlannedObject,
  before: ObjectValue,
  { writeTarget, plannedAt }: WriteContext,
): Promise<Moved | undefined> {
  const { resource, config, change, lookup } = object;
  const { kind, inventory, description } = resource;
  const { observedRecord } = change;
  if (kind === "token" || observedRecord === undefined) return undefined;
  if (readingClock() - observedRecord.readAt < FRESH_MS) return undefined;
  const live = await lookAgain(object, inventory, writeTarget);
  const now = inventory.expectation(live.records);
  const { seq, ...identity } = observedRecord;
  const difference = differenceOf({ ...now, key: inventory.textOf(live.key) }, identity);
  if (difference !== undefined)
    throw movedOn.error({ noun: description.noun, key: change.title, what: difference });
  // An account changes with its primary user profile, too.
  const seen = lookup?.kind === "live" ? inventory.expectation(lookup.records) : undefined;
  const partSeq = seen?.partSeq;
  if (isSameVersion(now, { seq, partSeq }) && now.partSeq === partSeq) return undefined;
  const prior = inventory.stateOf(live.records, before);
  const proposal = resource.propose(config, prior, { asOf: plannedAt });
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
      const found = await inventory.find(writeTarget.connection.client, change.observedRecord?.id ?? "");
      throw movedOn.error({
        noun: resource.description.noun,
        key: change.title,
        what: found === undefined ? "it is gone" : "the lists of the service do not show it any more",
      });
    }
  }
}

/** Values that the next run needs and the service does not show. */
async function note(object: PlannedObject, outcome: Outcome, ledger: Ledger): Promise<void> {
  const { resource, config, change, lookup } = object;
  const { state } = outcome;
  const { kind, inventory } = resource;
  if (kind === "token") {
    ledger.tokens.put(tokenOfState(state, object.sensitive, object.rotation));
    recordApplied(ledger, object, rememberedToken(tokenKey(identityOf(state))));
    return;
  }
  // If there was nothing to send, the record is as the plan saw it.
  const records = outcome.records ?? (lookup?.kind === "live" ? lookup.records : undefined);
  if (records === undefined) return;
  const remembered = rememberedAs(object, inventory, state);
  // Memories of an earlier object under the same key do not belong to this one, although it may have the same uuid.
  if (change.action === "create") ledger.objects.forget(remembered.key);
  if (isCertain(outcome)) ledger.objects.restore(remembered.key);
  await noteWritten(ledger, remembered, {
    attributes: resource.description.attributes,
    config,
    state,
    records,
    // Nothing was sent before a create.
    changed: change.action === "create" ? [] : change.attributes.map(({ path }) => path),
  });
  await noteRecorded(ledger, remembered, object.recorded, config);
  // An update of the primary user profile alone has no answer that shows the account. Its state is whole.
  const record = managedRecordIn(object, state);
  if (record !== undefined) ledger.objects.keepRecord(remembered, record);
  recordApplied(ledger, object, remembered, records);
}

function rememberedAs({ resource, remembered }: PlannedObject, inventory: Inventory, state: ObjectValue) {
  if (remembered !== undefined) return remembered;
  return rememberedRecord(resource, inventory.expectation({ self: state }).key ?? "", { self: state });
}

/** A token that somebody else may know, and what its replacement needs. */
interface CompromisedToken {
  readonly entry: TokenEntry;
  readonly connection: Connection;
  readonly ledger: Ledger;
  /** Creates the new one, and keeps it durably. */
  readonly mint: () => Promise<Outcome>;
  /** Makes what was changed in the ledger durable. */
  readonly save: () => Promise<void>;
}

/**
 * Replaces a compromised token. The old token and those before it are revoked in any case.
 * @returns the new token; errors among the findings mean that an old one is still good
 * @throws revokedNotReplaced, or what went wrong with creating tokens and with revoking
 */
async function replaceCompromised(token: CompromisedToken): Promise<Outcome> {
  const { entry, connection, ledger, mint, save } = token;
  const old = failedRevocationsOf(entry, connection.now());
  // If this run is interrupted, every later one continues to revoke.
  old.forEach((one) => ledger.failedRevocations.put(one));
  await save();
  const minted = await tried(mint);
  // A new token that could not be kept has taken the notes with it.
  old.forEach((one) => ledger.failedRevocations.put(one));
  const failures = await revokeNoted(connection, ledger, old);
  if (!(minted instanceof TenancyError)) {
    return {
      ...minted,
      findings: [...minted.findings, ...failures.flatMap((failure) => failure.toFindings())],
    };
  }
  removeToken(ledger, entry);
  await save();
  if (failures.length > 0) throw new SeveralFailures([minted, ...failures]);
  const [, ...more] = minted.toFindings();
  throw revokedNotReplaced.error({ key: tokenKey(entry), failure: minted }, { cause: minted }).telling(more);
}

async function tried(mint: () => Promise<Outcome>): Promise<Outcome | TenancyError> {
  try {
    return await mint();
  } catch (error) {
    if (error instanceof TenancyError) return error;
    throw error;
  }
}
