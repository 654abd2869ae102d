/** What this process created, and the lists as they stood before it first did. */
import type { CommonRecord } from "../../api";
import { AbsenceUnproven } from "../../errors";
import type { Directory, Snapshot } from "../directory";
import type { Connection } from "../family";
import type { RecordKind } from "./kind";

/** Uuids that this process sent in a POST, by the service's origin. */
const sent = new Set<string>();

export function noteSent({ client }: Connection, uuid: string): void {
  sent.add(`${client.origin} ${uuid.toLowerCase()}`);
}

export function wasSentByUs({ client }: Connection, uuid: string): boolean {
  return sent.has(`${client.origin} ${uuid.toLowerCase()}`);
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
    throw new AbsenceUnproven(`whether the ${kind.noun} was created cannot be told: ${doubt.reason}`);
  return undefined;
}
