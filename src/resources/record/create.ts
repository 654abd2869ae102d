/** Creates an account or user profile exactly once, under a uuid that proves it to be ours (design: Ownership). */
import { randomUUID } from "node:crypto";
import type { CommonRecord } from "../../api";
import { LAST_GENERATION, type NaturalKey, ownedUuid, type Owners } from "../../ownership";
import { absenceUnproven, alreadyLive } from "../../problems";
import type { Connection, Directory, Snapshot } from "../../service";
import type { RecordKind } from "./kind";
import { type Creation, duplicateOf, foreignTo, idOf, listsNow, ourDuplicate } from "./match";
import { atAttributes } from "./update";

/** Generations that are tried before the service's refusal is believed to mean something else. */
const MOST_GENERATIONS = 32;

interface Made<T> {
  readonly record: T;
  /** The uuid that was asked for. */
  readonly uuid: string;
}

/**
 * @throws alreadyLive, foreign, renamedOutside, otherUuid, absenceUnproven before anything is sent; the service's refusal at the
 * attributes that it is about
 */
export async function createRecord<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  creation: Creation,
): Promise<Made<T>> {
  return inTurn(connection, `${kind.description.noun} ${creation.text}`, async () => {
    const residue = await requireAbsent(kind, connection, creation);
    const made = residue ?? (await post(kind, connection, creation));
    noteHandedOut(connection, made.uuid);
    return made;
  });
}

async function post<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  creation: Creation,
): Promise<Made<T>> {
  for (let generation = 0; ; generation++) {
    const body = creation.body(generation);
    const { uuid } = body;
    const isOurs = !wasHandedOut(connection, uuid);
    if (isOurs) noteSent(connection, uuid);
    try {
      const look = () => lookUp(kind, connection, uuid);
      const { record } = await atAttributes(kind.description.attributes, () =>
        kind.calls(connection.client).create(body, { lookUp: look }),
      );
      return { record: await identified(kind, connection, record, uuid), uuid };
    } catch (error) {
      const duplicate = duplicateOf(error);
      if (duplicate === undefined) throw error;
      const found = await ourDuplicate(kind, connection, creation, uuid, error);
      if (found !== undefined && !isOurs)
        throw alreadyLive.error({ noun: kind.description.noun, key: creation.text, id: idOf(found) });
      if (found !== undefined) return { record: found, uuid };
      const last = generation >= Math.min(MOST_GENERATIONS, LAST_GENERATION);
      if (!duplicate.mayBeUuid || last || connection.owners === undefined || creation.uuid !== undefined)
        throw error;
    } finally {
      connection.directory.invalidate();
    }
  }
}

/** An answer that does not say which object it made: the lists do. */
async function identified<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  record: T,
  uuid: string,
): Promise<T> {
  if (typeof record.id === "string" || typeof record.serial === "string") return record;
  const found = await lookUp(kind, connection, uuid).catch(() => undefined);
  return found ?? record;
}

/** The uuid for one generation of an object: the user's, one of the owner's, or any. */
export function chosenUuid(
  declared: string | undefined,
  key: NaturalKey,
  owners: Owners | undefined,
  generation: number,
): string {
  if (declared !== undefined) return declared;
  if (owners === undefined) return randomUUID();
  return ownedUuid({ ...key, owner: owners.current, ownerKey: owners.keys?.current }, generation);
}

/**
 * Looks before the POST.
 * @returns the object, where this very process made it
 */
async function requireAbsent<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  creation: Creation,
): Promise<Made<T> | undefined> {
  let snapshot = await listsBeforeCreates(connection);
  let lookup = creation.locate(snapshot);
  if (lookup.kind === "refused") {
    // The obstacle may have been deleted since, as in a replacement.
    snapshot = await listsNow(connection);
    lookup = creation.locate(snapshot);
    if (lookup.kind === "refused") throw lookup.error;
  }
  if (lookup.kind === "live") {
    const record = await stillLive<T>(kind, connection, lookup.records.self as T);
    if (record === undefined) return undefined;
    const uuid = record.uuid ?? "";
    if (isOwnResidue(connection, uuid)) return { record, uuid };
    const { noun } = kind.description;
    throw lookup.claim === "ours"
      ? alreadyLive.error({ noun, key: creation.text, id: idOf(record) })
      : foreignTo(noun, creation.text, lookup, connection.owners);
  }
  const doubt = creation.doubt(snapshot);
  if (doubt?.blocksCreate)
    throw absenceUnproven.error(
      `${kind.description.noun} ${JSON.stringify(creation.text)} is not listed, and that proves nothing: ${doubt.reason}`,
    );
  return undefined;
}

/** The listed record may have been deleted since, as in a replacement. */
async function stillLive<T extends CommonRecord>(
  kind: RecordKind<T>,
  { client }: Connection,
  listed: T,
): Promise<T | undefined> {
  return (await kind.calls(client).find(idOf(listed)))?.record;
}

// Objects that this process created, and the lists as they were before the first of them.

/**
 * The fate of the uuids that this process sent in a POST, by the service's origin. A uuid whose state was handed out belongs to an object
 * of its own: a second declaration of the same name must not pass for it.
 */
const sent = new Map<string, "sent" | "handed out">();

function noteSent(connection: Connection, uuid: string): void {
  sent.set(keyOf(connection, uuid), "sent");
}

function noteHandedOut(connection: Connection, uuid: string): void {
  sent.set(keyOf(connection, uuid), "handed out");
}

/** True if a POST of this process made it, and its state was not handed out yet. */
function isOwnResidue(connection: Connection, uuid: string): boolean {
  return sent.get(keyOf(connection, uuid)) === "sent";
}

function wasHandedOut(connection: Connection, uuid: string): boolean {
  return sent.get(keyOf(connection, uuid)) === "handed out";
}

function keyOf({ client }: Connection, uuid: string): string {
  return `${client.origin} ${uuid.toLowerCase()}`;
}

const creating = new Map<string, Promise<unknown>>();

/**
 * Creates objects of the same name one after the other: of two declarations of one object, which Terraform carries out at the same time, the
 * second is to find what has become of the first.
 */
async function inTurn<T>({ client }: Connection, name: string, create: () => Promise<T>): Promise<T> {
  const key = `${client.origin} ${name}`;
  const mine = Promise.allSettled([creating.get(key)]).then(create);
  creating.set(key, mine);
  try {
    return await mine;
  } finally {
    if (creating.get(key) === mine) creating.delete(key);
  }
}

const before = new WeakMap<Directory, Promise<Snapshot>>();

/**
 * The lists before the first create. What was created since is this process' own, and what others do meanwhile the service
 * itself answers with a duplicate: so a run of any size reads them once.
 */
export async function listsBeforeCreates({ directory }: Connection): Promise<Snapshot> {
  let snapshot = before.get(directory);
  if (snapshot === undefined) {
    snapshot = directory.snapshot();
    before.set(directory, snapshot);
    snapshot.catch(() => before.delete(directory));
  }
  return snapshot;
}

/**
 * Looks for an object that may have been created although no answer says so.
 * @throws absenceUnproven where it may be live and hidden
 */
async function lookUp<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  uuid: string,
): Promise<T | undefined> {
  const snapshot = await listsNow(connection);
  const found = kind.withUuid(snapshot, uuid);
  if (found !== undefined) return found;
  const doubt = kind.inventory.doubt(undefined, snapshot);
  if (doubt?.blocksCreate)
    throw absenceUnproven.error(
      `cannot tell whether the ${kind.description.noun} was created: ${doubt.reason}`,
    );
  return undefined;
}
