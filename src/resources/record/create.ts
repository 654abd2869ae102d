/** Creates a record exactly once, under a uuid that no other person can foresee (design: Ownership). */
import { randomUUID } from "node:crypto";
import type { AccountRecord, CommonRecord } from "../../api";
import { derivedUuid } from "../../ownership";
import { notVerified, alreadyLive, conflict, validationRefused } from "../../problems";
import { createBody } from "../../schema";
import type { Connection, UnprovenAbsence, Snapshot } from "../../service";
import { type ObjectValue, textOf } from "../../lib/values";
import type { CreateRequest, LiveObject, LookupResult, Outcome } from "../family";
import { listsNow, serialInPlaceOfId, unmanagedError } from "./inventory";
import { ACCOUNT_ID, idOf, isInAccount, type ListedRecordFamily, textOfNames } from "./kind";
import { outcomeOfCreate } from "./outcome";
import { endedIn, endsPassed, grantable, plannedEnded } from "../ends";
import { absent } from "./plan";
import { atAttributes } from "./update";

/** Creates the planned object, and reads the service's result. */
export async function createRecord(
  family: ListedRecordFamily,
  connection: Connection,
  request: CreateRequest,
): Promise<Outcome> {
  const { config } = request;
  const { description, inventory, part } = family;
  const { attributes, name } = description;
  const { client } = connection;
  // The plan may be older than an end, so the clock of the apply decides which access has ended.
  const now = connection.now();
  const planned =
    "ended" in attributes
      ? { ...request.planned, ended: plannedEnded(request.planned, null, now) }
      : request.planned;
  const effective = grantable(planned, null, now);
  const names = await namesFor(family, connection, config);
  const key = { kind: name, names };
  const { owner } = request;
  const uuid =
    textOf(config["uuid"]) ?? request.uuid ?? (owner === undefined ? randomUUID() : derivedUuid(owner, key));
  // The service creates an object without an account in the caller's own, and a caller may be unable to name any.
  const isPlaced = !isInAccount(family) || (config[ACCOUNT_ID] ?? null) !== null;
  const body = createBody(attributes, isPlaced ? effective : { ...effective, [ACCOUNT_ID]: null }, config);
  const creation: ObjectToCreate = {
    text: textOfNames(family, names),
    isForeseeable: textOf(config["uuid"]) !== undefined,
    locate: (snapshot) => inventory.locate(config, snapshot),
    unprovenAbsence: (snapshot) =>
      inventory.unprovenAbsence(isAccountListed(family, config, snapshot) ? key : undefined, snapshot),
    body: { ...body, uuid, ...(part && { [part.uuid]: textOf(config[part.uuid]) ?? randomUUID() }) },
  };
  const newObject = await createOnce(family, connection, creation);
  const write = { family, client, text: creation.text, planned, effective, config };
  const outcome = await outcomeOfCreate(write, newObject);
  const record = { ...newObject.record, ...outcome.records?.self };
  if (name === "account") connection.made.noteAccount(record);
  else connection.made.noteUser(record["login"], record.id);
  const warnings = endsPassed(creation.text, planned, endedIn(request.planned));
  return { ...outcome, key: creation.text, findings: [...outcome.findings, ...warnings] };
}

/** The names of the key. An account that the lists lack was created after they were read. */
async function namesFor({ key }: ListedRecordFamily, connection: Connection, config: ObjectValue) {
  const names: string[] = [];
  for (const attribute of key)
    names.push(
      attribute === ACCOUNT_ID ? await accountNameOf(connection, config) : (textOf(config[attribute]) ?? ""),
    );
  return names;
}

/**
 * Name of the account that the record belongs to: the caller's own where none is declared.
 * @throws serialForId
 */
async function accountNameOf(connection: Connection, config: ObjectValue): Promise<string> {
  const { client, directory, made: creations } = connection;
  const snapshot = await directory.beforeCreates();
  const id = textOf(config[ACCOUNT_ID]);
  if (id === undefined) return snapshot.callerAccount?.name ?? "";
  const nameOf = (account: AccountRecord): string => {
    const misnamed = serialInPlaceOfId(config, account);
    if (misnamed !== undefined) throw misnamed;
    return account.name ?? "";
  };
  const listedAccount = snapshot.account(id);
  if (listedAccount !== undefined) return nameOf(listedAccount);
  return creations.accountName(id, async () => nameOf(await client.accounts.get(id)));
}

/** An account that this run has made is not in the lists that were read before. */
function isAccountListed(family: ListedRecordFamily, config: ObjectValue, snapshot: Snapshot): boolean {
  const id = isInAccount(family) ? textOf(config[ACCOUNT_ID]) : undefined;
  return id === undefined || snapshot.account(id) !== undefined;
}

// One object, made exactly once.

/** An object that is to be created. */
interface ObjectToCreate {
  /** Natural key as text. */
  readonly text: string;
  /** Looks for the configuration's object among the live ones. */
  locate(snapshot: Snapshot): LookupResult;
  /** Why absence from those lists proves nothing. */
  unprovenAbsence(snapshot: Snapshot): UnprovenAbsence | undefined;
  /** True if the user declared the uuid, so that others may have made a record with it. */
  readonly isForeseeable: boolean;
  /** Body of the POST; its `uuid` is the one that the object is looked for by. */
  readonly body: ObjectValue & { readonly uuid: string };
}

interface Created {
  readonly record: CommonRecord;
  /** The uuid that was asked for. */
  readonly uuid: string;
}

/**
 * Creates objects of the same name one after the other: if two declarations of one object are carried out at the same time under Terraform,
 * the second must find the result of the first.
 * @throws alreadyLive, unmanagedObject, notVerified before anything is sent; the service's refusal at its attributes
 */
async function createOnce(
  family: ListedRecordFamily,
  connection: Connection,
  creation: ObjectToCreate,
): Promise<Created> {
  const { made: creations } = connection;
  const endTurn = await creations.lock(`create ${family.description.noun} ${creation.text}`);
  try {
    const residue = await requireAbsent(family, connection, creation);
    const newObject = residue ?? (await post(family, connection, creation));
    creations.noteHandedOut(newObject.uuid);
    return newObject;
  } finally {
    endTurn();
  }
}

async function post(
  family: ListedRecordFamily,
  connection: Connection,
  creation: ObjectToCreate,
): Promise<Created> {
  const { body, text } = creation;
  const { uuid } = body;
  // If the service refuses the only POST, this run has created no object.
  let mayBeMade = connection.made.isUnclaimed(uuid);
  if (!connection.made.wasHandedOut(uuid)) connection.made.noteSent(uuid);
  try {
    const look = () => {
      mayBeMade = true;
      return lookUpByUuid(family, connection, uuid);
    };
    const record = await atAttributes(family.description.attributes, () =>
      family.endpoint(connection.client).create(body, { lookUp: look, key: text }),
    );
    return { record: await identifyCreated(family, connection, record, uuid), uuid };
  } catch (error) {
    // A duplicate is answered 409 or 400 (spec 7 does not define which). A 400 is one if an earlier request has made the object.
    if (!conflict.is(error) && !(validationRefused.is(error) && mayBeMade)) throw error;
    return { record: await ourDuplicate(family, connection, creation, { mayBeMade, refusal: error }), uuid };
  } finally {
    connection.directory.invalidate();
  }
}

/** An answer that does not say which object it made: the lists do, or else those of a later run, by the uuid. */
async function identifyCreated(
  family: ListedRecordFamily,
  connection: Connection,
  record: CommonRecord,
  uuid: string,
): Promise<CommonRecord> {
  if (typeof record.id === "string" || typeof record.serial === "string") return record;
  const existing = await lookUpByUuid(family, connection, uuid).catch(() => undefined);
  return existing ?? { uuid, ...record };
}

/**
 * Looks before the POST.
 * @returns the object, where this run or a killed one has made it
 */
async function requireAbsent(
  family: ListedRecordFamily,
  connection: Connection,
  creation: ObjectToCreate,
): Promise<Created | undefined> {
  let snapshot = await connection.directory.beforeCreates();
  let lookup = creation.locate(snapshot);
  if (lookup.kind === "refused") {
    // The obstacle may have been deleted since, as in a replacement.
    snapshot = await listsNow(connection);
    lookup = creation.locate(snapshot);
    if (lookup.kind === "refused") throw lookup.error;
  }
  if (lookup.kind === "live") {
    const record = await stillLive(family, connection, lookup.records.self);
    if (record === undefined) return undefined;
    const { uuid } = creation.body;
    const mayBeMade = connection.made.isUnclaimed(uuid);
    return { record: requireOwn(family, connection, creation, { record, lookup, mayBeMade }), uuid };
  }
  const unproven = creation.unprovenAbsence(snapshot);
  if (unproven?.blocksCreate)
    throw notVerified.error(absent(family.description.noun, creation.text, unproven));
  return undefined;
}

/**
 * A live record of the name is the new object if it has the uuid, which no other person can foresee.
 * @throws alreadyLive, unmanagedObject
 */
function requireOwn(
  { description: { noun } }: ListedRecordFamily,
  { made: creations }: Connection,
  { text, body: { uuid }, isForeseeable }: ObjectToCreate,
  {
    record,
    lookup,
    mayBeMade,
    refusal,
  }: {
    readonly record: CommonRecord;
    readonly lookup: LiveObject;
    /** True if a POST of this run may have made it. */
    readonly mayBeMade: boolean;
    readonly refusal?: unknown;
  },
): CommonRecord {
  const liveUuid = textOf(record.uuid)?.toLowerCase();
  const isOther = creations.wasHandedOut(liveUuid ?? "");
  if (!isOther && liveUuid === uuid.toLowerCase() && (mayBeMade || !isForeseeable)) return record;
  throw isOther
    ? alreadyLive.error({ noun, key: text, id: idOf(record) })
    : unmanagedError(noun, text, lookup, refusal === undefined ? {} : { cause: refusal });
}

/** A listed record may have been deleted: since, as in a replacement, or before, where the lists lag behind. */
async function stillLive(
  family: ListedRecordFamily,
  { client }: Connection,
  listedRecord: CommonRecord,
): Promise<CommonRecord | undefined> {
  return family.endpoint(client).find(idOf(listedRecord));
}

/**
 * Looks for an object that may have been created although no answer says so. Looks even if the run was stopped, since the object may be live
 * without being in any state.
 * @throws notVerified if it may be live and hidden
 */
async function lookUpByUuid(
  family: ListedRecordFamily,
  connection: Connection,
  uuid: string,
): Promise<CommonRecord | undefined> {
  const client = connection.client.unstoppable();
  const snapshot = await connection.directory.readWith(client);
  const existing = snapshot.listOf(family.description.name).find("uuid", uuid);
  if (existing !== undefined) return stillLive(family, { ...connection, client }, existing);
  const unproven = family.inventory.unprovenAbsence(undefined, snapshot);
  if (unproven?.blocksCreate)
    throw notVerified.error(
      `cannot find out whether the ${family.description.noun} was created: ${unproven.reason}`,
    );
  return undefined;
}

// Duplicates: the cause of a refused create (design: Ownership).

/** The object that this run, or a killed one, has made, where the service refuses to create it. */
async function ourDuplicate(
  family: ListedRecordFamily,
  connection: Connection,
  creation: ObjectToCreate,
  { mayBeMade, refusal }: { readonly mayBeMade: boolean; readonly refusal: unknown },
): Promise<CommonRecord> {
  const snapshot = await listsNow(connection);
  const lookup = creation.locate(snapshot);
  if (lookup.kind === "refused") throw lookup.error;
  const record =
    lookup.kind === "live" ? await stillLive(family, connection, lookup.records.self) : undefined;
  if (lookup.kind !== "live" || record === undefined) throw refusal;
  return requireOwn(family, connection, creation, { record, lookup, mayBeMade, refusal });
}
