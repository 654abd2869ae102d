/** Creating an account or user profile exactly once, under a uuid that proves it to be ours (design: Ownership). */
import { randomUUID } from "node:crypto";
import type { CommonRecord } from "../../api";
import { AbsenceUnproven, AlreadyLive } from "../../errors";
import { LAST_GENERATION, ownedUuid, type NaturalKey, type Owners } from "../../ownership";
import type { Connection } from "../family";
import {
  inTurn,
  isOwnResidue,
  listsBeforeCreates,
  listsNow,
  lookUp,
  noteHandedOut,
  noteSent,
  wasHandedOut,
} from "./creation";
import { duplicateOf, ourDuplicate, type Creation } from "./duplicate";
import type { RecordKind } from "./kind";
import { atAttributes } from "./refusals";
import { foreignTo, idOf } from "./seek";

/** Generations that are tried before the service's refusal is believed to mean something else. */
const MOST_GENERATIONS = 32;

export interface Made<T> {
  readonly record: T;
  /** The uuid that was asked for. */
  readonly uuid: string;
}

/**
 * @throws AlreadyLive, Foreign, RenamedOutside, OtherUuid, AbsenceUnproven before anything is sent; the service's refusal at the
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
        throw new AlreadyLive(kind.description.noun, creation.text, idOf(found));
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
  let sought = creation.locate(snapshot);
  if (sought.kind === "refused") {
    // What stands in the way may have been deleted since, as in a replacement.
    snapshot = await listsNow(connection);
    sought = creation.locate(snapshot);
    if (sought.kind === "refused") throw sought.error;
  }
  if (sought.kind === "live") {
    const record = await stillLive<T>(kind, connection, sought.records.self as T);
    if (record === undefined) return undefined;
    const uuid = record.uuid ?? "";
    if (isOwnResidue(connection, uuid)) return { record, uuid };
    const { noun } = kind.description;
    throw sought.claim === "ours"
      ? new AlreadyLive(noun, creation.text, idOf(record))
      : foreignTo(noun, creation.text, sought, connection.owners);
  }
  const doubt = creation.doubt(snapshot);
  if (doubt?.blocksCreate)
    throw new AbsenceUnproven(
      `${kind.description.noun} ${JSON.stringify(creation.text)} is not listed, and that proves nothing: ${doubt.reason}`,
    );
  return undefined;
}

/** What the lists held may have been deleted since, as in a replacement. */
async function stillLive<T extends CommonRecord>(
  kind: RecordKind<T>,
  { client }: Connection,
  listed: T,
): Promise<T | undefined> {
  return (await kind.calls(client).find(idOf(listed)))?.record;
}
