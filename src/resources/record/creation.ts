/** What this process created, and the lists as they stood before it first did. */
import type { CommonRecord } from "../../api";
import { AbsenceUnproven } from "../../errors";
import type { Directory, Snapshot } from "../directory";
import type { Connection } from "../family";
import type { RecordKind } from "./kind";

/**
 * What became of the uuids that this process sent in a POST, by the service's origin. One whose state was handed out is an object
 * of its own: a second declaration of the same name must not pass for it.
 */
const sent = new Map<string, "sent" | "handed out">();

export function noteSent(connection: Connection, uuid: string): void {
  sent.set(keyOf(connection, uuid), "sent");
}

export function noteHandedOut(connection: Connection, uuid: string): void {
  sent.set(keyOf(connection, uuid), "handed out");
}

/** Whether a POST of this process made it, and nobody has been told yet. */
export function isOwnResidue(connection: Connection, uuid: string): boolean {
  return sent.get(keyOf(connection, uuid)) === "sent";
}

export function wasHandedOut(connection: Connection, uuid: string): boolean {
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
export async function inTurn<T>({ client }: Connection, name: string, create: () => Promise<T>): Promise<T> {
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

/** The lists as they are now. */
export async function listsNow({ directory }: Connection): Promise<Snapshot> {
  directory.invalidate();
  return directory.snapshot();
}

/**
 * Looks for what may have been created although no answer says so.
 * @throws AbsenceUnproven where it may be live and hidden
 */
export async function lookUp<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  uuid: string,
): Promise<T | undefined> {
  const snapshot = await listsNow(connection);
  const found = kind.withUuid(snapshot, uuid);
  if (found !== undefined) return found;
  const doubt = kind.inventory.doubt(undefined, snapshot);
  if (doubt?.blocksCreate)
    throw new AbsenceUnproven(
      `cannot tell whether the ${kind.description.noun} was created: ${doubt.reason}`,
    );
  return undefined;
}
