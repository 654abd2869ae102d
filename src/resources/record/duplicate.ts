/** What a create that was answered with a duplicate has run into (design: Ownership). */
import type { CommonRecord } from "../../api";
import { Conflict, ValidationRefused } from "../../errors";
import type { ObjectValue } from "../../values";
import type { Snapshot } from "../directory";
import type { Connection, Doubt, Sought } from "../family";
import { listsNow } from "./creation";
import type { RecordKind } from "./kind";
import { text } from "./members";
import { foreignTo } from "./seek";

/** An object that is to be created. */
export interface Creation {
  /** Natural key as text. */
  readonly text: string;
  /** What the configuration's object is among the live ones. */
  locate(snapshot: Snapshot): Sought;
  /** Why absence from those lists proves nothing. */
  doubt(snapshot: Snapshot): Doubt | undefined;
  /** Uuid that the user declared. */
  readonly uuid: string | undefined;
  /** Body of the POST; its `uuid` is the one that the object is looked for by. */
  body(generation: number): ObjectValue & { readonly uuid: string };
}

/**
 * Whose doing a duplicate is.
 * @returns the object where it is ours; undefined where whole lists hold neither its uuid nor its key
 */
export async function ourDuplicate<T extends CommonRecord>(
  kind: RecordKind<T>,
  connection: Connection,
  creation: Creation,
  uuid: string,
  refusal: unknown,
): Promise<T | undefined> {
  const snapshot = await listsNow(connection);
  const sought = creation.locate(snapshot);
  if (sought.kind === "refused") throw sought.error;
  if (sought.kind === "live") {
    const record = sought.records.self as T;
    if (sought.claim === "ours" || text(record.uuid)?.toLowerCase() === uuid.toLowerCase()) return record;
    throw foreignTo(kind.description.noun, creation.text, sought, connection.owners, { cause: refusal });
  }
  const holder = kind.withUuid(snapshot, uuid);
  if (holder !== undefined || creation.doubt(snapshot) !== undefined) throw refusal;
  return undefined;
}

/** A duplicate is answered 409, or 400 that names what is taken (spec 7 does not say which). */
export function duplicateOf(error: unknown): { readonly mayBeUuid: boolean } | undefined {
  if (error instanceof Conflict) return { mayBeUuid: true };
  if (!(error instanceof ValidationRefused)) return undefined;
  const members = error.fields.map(({ path }) => String(path[0]));
  const says = [error.request.says ?? "", ...error.fields.map(({ message }) => message)].join(" ");
  const mayBeUuid = members.some((name) => name.endsWith("uuid")) || /\buuid\b/i.test(says);
  const isAboutNames = members.some((name) => ["name", "username", "login"].includes(name));
  const isDuplicate = mayBeUuid || isAboutNames || /exist|taken|duplicate|already|unique|in use/i.test(says);
  return isDuplicate ? { mayBeUuid } : undefined;
}
