/** Defines what the shared code has to know of accounts or of user profiles. */
import type { Client, CommonRecord, Created, CreateOptions, Found, Updated } from "../../api";
import {
  attributeAt,
  type Attributes,
  type Description,
  same,
  versionPath,
  writeOnlyAttributes,
} from "../../schema";
import type { Snapshot } from "../../service";
import { isInteger, type ObjectValue, type Path, type Value, valueAt } from "../../values";
import type { Inventory } from "../family";

/** The calls that both families have (spec 4.3, 4.4). */
interface Calls<T extends CommonRecord> {
  find(idOrSerial: string): Promise<Found<T> | undefined>;
  create(body: ObjectValue, options: CreateOptions<T>): Promise<Created<T>>;
  update(idOrSerial: string, body: ObjectValue): Promise<Updated<T>>;
}

export interface RecordKind<T extends CommonRecord> {
  readonly description: Description;
  readonly inventory: Inventory;
  /** Members by which an answer is known to be a whole record. */
  readonly members: readonly string[];
  calls(client: Client): Calls<T>;
  withUuid(snapshot: Snapshot, uuid: string): T | undefined;
}

// Careful readers of records' members.

/** The value where it is text. */
export function text(value: Value | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The record's sequence number (spec 2.1), where it shows one. */
export function sequenceOf(record: ObjectValue): number | bigint | undefined {
  const seq = record["seq"];
  return isInteger(seq) ? seq : undefined;
}

/** True if an answer is a whole record, and not only a copy of the request. */
export function isWhole(record: ObjectValue | undefined, members: readonly string[]): boolean {
  return record !== undefined && members.every((name) => Object.hasOwn(record, name));
}

/** A state in which only client-only attributes have values: their defaults. For imported objects. */
export function clientDefaults(attributes: Attributes): ObjectValue {
  const state: Record<string, Value> = {};
  for (const [name, { defaultValue }] of Object.entries(attributes)) state[name] = defaultValue ?? null;
  return state;
}

/** Write-only values: sent when the object is made, and whenever their version changes. */
interface Versions {
  readonly prior: ObjectValue;
  readonly planned: ObjectValue;
  /** A version that prior lacks is only recorded: the object was taken in, and may have the declared value already. */
  readonly recordOnly: boolean;
}

/** Paths of the write-only values that an update has to send. */
export function secretsDue(
  attributes: Attributes,
  { prior, planned, recordOnly }: Versions,
): readonly Path[] {
  return writeOnlyAttributes(attributes)
    .filter(({ path }) => {
      const at = versionPath(path);
      const version = attributeAt(attributes, at);
      const before = valueAt(prior, at);
      const after = valueAt(planned, at);
      if (version === undefined || after === null || same(version, before, after)) return false;
      return before !== null || !recordOnly;
    })
    .map(({ path }) => path);
}
