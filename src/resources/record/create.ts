/** Creates a record exactly once, under a uuid that proves that it is managed (design: Ownership). */
import { randomUUID } from "node:crypto";
import type { AccountRecord, CommonRecord } from "../../api";
import { LAST_GENERATION, type NaturalKey, ownedUuid, type Owners } from "../../ownership";
import { notVerified, alreadyLive, conflict, validationRefused } from "../../problems";
import { createBody } from "../../schema";
import type { Connection, UnprovenAbsence, Snapshot } from "../../service";
import { normalForm, type ObjectValue, textOf } from "../../lib/values";
import type { CreateRequest, LookupResult, Outcome } from "../family";
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
  const { client, owners } = connection;
  // The plan may be older than an end, so the clock of the apply decides which access has ended.
  const now = connection.now();
  const planned =
    "ended" in attributes
      ? { ...request.planned, ended: plannedEnded(request.planned, null, now) }
      : request.planned;
  const effective = grantable(planned, null, now);
  const names = await namesFor(family, connection, config);
  const key = { kind: name, names };
  const uuid = textOf(config["uuid"]);
  // The service creates an object without an account in the caller's own, and a caller may be unable to name any.
  const isPlaced = !isInAccount(family) || (config[ACCOUNT_ID] ?? null) !== null;
  const body = createBody(attributes, isPlaced ? effective : { ...effective, [ACCOUNT_ID]: null }, config);
  const creation: ObjectToCreate = {
    text: textOfNames(family, names),
    uuid,
    locate: (snapshot, isMade) => inventory.locate(config, snapshot, owners, () => isMade),
    unprovenAbsence: (snapshot) =>
      inventory.unprovenAbsence(isAccountListed(family, config, snapshot) ? key : undefined, snapshot),
    body: (generation) => ({
      ...body,
      uuid: chosenUuid(uuid, key, owners, generation),
      ...(part && {
        [part.uuid]: chosenUuid(textOf(config[part.uuid]), { kind: "primary", names }, owners, generation),
      }),
    }),
  };
  const newObject = await createOnce(family, connection, creation);
  const write = { family, client, text: creation.text, planned, effective, config };
  const outcome = await outcomeOfCreate(write, newObject);
  const record = { ...newObject.record, ...outcome.records?.self };
  if (name === "account") connection.made.noteAccount(record);
  else connection.made.noteUser(record["login"], record.id);
  const warnings = endsPassed(creation.text, planned, endedIn(request.planned));
  return { ...outcome, findings: [...outcome.findings, ...warnings] };
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
  /**
   * Looks for the configuration's object among the live ones.
   * @param isMade whether this run may have made a record under the declared uuid, which proves nothing by itself
   */
  locate(snapshot: Snapshot, isMade: boolean): LookupResult;
  /** Why absence from those lists proves nothing. */
  unprovenAbsence(snapshot: Snapshot): UnprovenAbsence | undefined;
  /** Uuid that the user declared. */
  readonly uuid: string | undefined;
  /** Body of the POST; its `uuid` is the one that the object is looked for by. */
  body(generation: number): ObjectValue & { readonly uuid: string };
}

/** Generations that are tried before the service's refusal is believed to mean something else. */
const MOST_GENERATIONS = 32;

/** The limit of tries if the message may be about the names; complete lists show no holder of the name. */
const GENERATIONS_IN_DOUBT = 4;

interface Created {
  readonly record: CommonRecord;
  /** The uuid that was asked for. */
  readonly uuid: string;
}

/**
 * Creates objects of the same name one after the other: if two declarations of one object are carried out at the same time under Terraform,
 * the second must find the result of the first.
 * @throws alreadyLive, unmanaged, renamedOutside, otherUuid, notVerified before anything is sent; the service's refusal at its attributes
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
  for (let generation = 0; ; generation++) {
    const body = creation.body(generation);
    const { uuid } = body;
    const isOwnUuid = !connection.made.wasHandedOut(uuid);
    // If the service refuses the only POST, this run has created no object.
    let mayBeMade = connection.made.isUnclaimed(uuid);
    if (isOwnUuid) connection.made.noteSent(uuid);
    try {
      const look = () => {
        mayBeMade = true;
        return lookUpByUuid(family, connection, uuid);
      };
      const record = await atAttributes(family.description.attributes, () =>
        family.endpoint(connection.client).create(body, { lookUp: look, key: creation.text }),
      );
      return { record: await identifyCreated(family, connection, record, uuid), uuid };
    } catch (error) {
      const furtherGenerations = duplicateOf(error, creation.text);
      if (furtherGenerations === undefined) throw error;
      const existing = await ourDuplicate(family, connection, creation, { uuid, mayBeMade, refusal: error });
      if (existing !== undefined && !isOwnUuid)
        throw alreadyLive.error({ noun: family.description.noun, key: creation.text, id: idOf(existing) });
      if (existing !== undefined) return { record: existing, uuid };
      const last = Math.min(furtherGenerations, LAST_GENERATION);
      if (generation >= last || connection.owners === undefined || creation.uuid !== undefined) throw error;
    } finally {
      connection.directory.invalidate();
    }
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

/** The uuid for one generation of an object: the user's, one of the owner's, or any. */
function chosenUuid(
  declaredUuid: string | undefined,
  key: NaturalKey,
  owners: Owners | undefined,
  generation: number,
): string {
  if (declaredUuid !== undefined) return declaredUuid;
  if (owners === undefined) return randomUUID();
  return ownedUuid({ ...key, owner: owners.current, ownerKey: owners.key }, generation);
}

/**
 * Looks before the POST.
 * @returns the object, where this very run made it
 */
async function requireAbsent(
  family: ListedRecordFamily,
  connection: Connection,
  creation: ObjectToCreate,
): Promise<Created | undefined> {
  let snapshot = await connection.directory.beforeCreates();
  const isMade = creation.uuid !== undefined && connection.made.wasSent(creation.uuid);
  let lookup = creation.locate(snapshot, isMade);
  if (lookup.kind === "refused") {
    // The obstacle may have been deleted since, as in a replacement.
    snapshot = await fittingLists(
      () => listsNow(connection),
      (lists) => creation.unprovenAbsence(lists),
    );
    lookup = creation.locate(snapshot, isMade);
    if (lookup.kind === "refused") throw lookup.error;
  }
  if (lookup.kind === "live") {
    const record = await stillLive(family, connection, lookup.records.self);
    if (record === undefined) return undefined;
    const uuid = record.uuid ?? "";
    if (connection.made.isUnclaimed(uuid)) return { record, uuid };
    const { noun } = family.description;
    throw lookup.claim === "managed"
      ? alreadyLive.error({ noun, key: creation.text, id: idOf(record) })
      : unmanagedError(noun, creation.text, lookup, connection.owners);
  }
  const unproven = creation.unprovenAbsence(snapshot);
  if (unproven?.blocksCreate)
    throw notVerified.error(absent(family.description.noun, creation.text, unproven));
  return undefined;
}

/** Readings after the first, before lists that do not fit together are believed to be incomplete. */
const MORE_READINGS = 3;

/**
 * The lists, read again if they look incomplete. The service does not answer all of them at one moment: a new account may be in the list of
 * accounts while its user is missing in the list of users.
 */
async function fittingLists(
  read: () => Promise<Snapshot>,
  absenceIn: (snapshot: Snapshot) => UnprovenAbsence | undefined,
): Promise<Snapshot> {
  let snapshot = await read();
  for (let again = 0; again < MORE_READINGS && absenceIn(snapshot)?.blocksCreate; again++)
    snapshot = await read();
  return snapshot;
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
  const absenceIn = (snapshot: Snapshot) => family.inventory.unprovenAbsence(undefined, snapshot);
  const snapshot = await fittingLists(() => connection.directory.readWith(client), absenceIn);
  const existing = snapshot.listOf(family.description.name).find("uuid", uuid);
  if (existing !== undefined) return stillLive(family, { ...connection, client }, existing);
  const unproven = absenceIn(snapshot);
  if (unproven?.blocksCreate)
    throw notVerified.error(
      `cannot find out whether the ${family.description.noun} was created: ${unproven.reason}`,
    );
  return undefined;
}

// Duplicates: the cause of a refused create (design: Ownership).

/**
 * Finds the cause of a duplicate.
 * @returns the object if it is managed; undefined if complete lists hold neither its uuid nor its key, or only a deleted record
 */
async function ourDuplicate(
  family: ListedRecordFamily,
  connection: Connection,
  creation: ObjectToCreate,
  refusedCreate: {
    readonly uuid: string;
    /** True if an earlier POST of this run may have made the object. */
    readonly mayBeMade: boolean;
    readonly refusal: unknown;
  },
): Promise<CommonRecord | undefined> {
  const { uuid, mayBeMade, refusal } = refusedCreate;
  const snapshot = await fittingLists(
    () => listsNow(connection),
    (lists) => creation.unprovenAbsence(lists),
  );
  const lookup = creation.locate(snapshot, mayBeMade);
  if (lookup.kind === "refused") throw lookup.error;
  if (lookup.kind === "live") {
    const record = await stillLive(family, connection, lookup.records.self);
    if (record === undefined) return undefined;
    // A random uuid of this run cannot have been foreseen.
    const isDrawn = creation.uuid === undefined && textOf(record.uuid)?.toLowerCase() === uuid.toLowerCase();
    if (lookup.claim === "managed" || isDrawn) return record;
    throw unmanagedError(family.description.noun, creation.text, lookup, connection.owners, {
      cause: refusal,
    });
  }
  const holder = snapshot.listOf(family.description.name).find("uuid", uuid);
  if (holder !== undefined || creation.unprovenAbsence(snapshot) !== undefined) throw refusal;
  return undefined;
}

/**
 * A duplicate is answered 409, or 400 that names the taken value (spec 7 does not define which). If the name is taken, another uuid does
 * not help.
 * @param text the natural key
 * @returns the number of further generations that are worth a try; undefined if the error is no duplicate
 */
function duplicateOf(error: unknown, text: string): number | undefined {
  if (conflict.is(error)) return generationsAfter(error.request.says ?? "", text);
  if (!validationRefused.is(error)) return undefined;
  const members = error.facts.map(({ path }) => String(path[0]));
  const says = [error.request.says ?? "", ...error.facts.map(({ message }) => message)].join(" ");
  const mayBeUuid = members.some((name) => name.endsWith("uuid")) || isOfUuid(says);
  const isAboutNames = members.some((name) => ["name", "username", "login"].includes(name));
  const isDuplicate = mayBeUuid || isAboutNames || /exist|taken|duplicate|already|unique|in use/i.test(says);
  return isDuplicate ? (mayBeUuid ? MOST_GENERATIONS : 0) : undefined;
}

/** A key that is an ordinary word may be part of a message about another matter: "an object with this id was deleted". */
function generationsAfter(says: string, text: string): number {
  if (isOfUuid(says)) return MOST_GENERATIONS;
  const key = normalForm(text);
  const literal = key.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const isIn = (before: string, after: string) =>
    new RegExp(`${before}${literal}${after}`, "u").test(normalForm(says));
  const isWord = /^[\p{L}\p{N}]*$/u.test(key);
  const stands = isIn("(?<![\\p{L}\\p{N}_@.-])", "(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])");
  if (isIn("[\"'`“‘«]", "[\"'`”’»]") || (stands && !isWord)) return 0;
  return stands || isOfNames(says) ? GENERATIONS_IN_DOUBT : MOST_GENERATIONS;
}

function isOfUuid(says: string): boolean {
  return /\buuid\b/i.test(says);
}

function isOfNames(says: string): boolean {
  return /\b(?:name|username|login)\b/i.test(says);
}
