/** Defines the description of a family of records. The shared code of all such families is driven by it. */
import type { AccountRecord, Client, CommonRecord, Endpoint } from "../../api";
import { notVerified, type Finding } from "../../problems";
import {
  type AttributeChange,
  type Attributes,
  type Description,
  diff,
  isVersionPath,
  lastValue,
  secretPath,
} from "../../schema";
import type { Connection, Right } from "../../service";
import { isInteger, type ObjectValue, type Path, textOf, type Value } from "../../lib/values";
import type { Container, DeleteRequest, Inventory } from "../family";

/**
 * A family whose records the service lists, and creates under a uuid that the client chooses: its description, and then hooks for special
 * behaviour. Each hook does nothing by default.
 */
export interface RecordFamily<T extends CommonRecord = CommonRecord> {
  readonly description: Description;
  /** Its calls (spec 4.3, 4.4). */
  endpoint(client: Client): Endpoint<T>;
  /** The attributes of the natural key. Among them, `account_id` means the name of the account. */
  readonly key: readonly string[];
  /** The key as people read it. @default its names, with colons between them: `acme:data` */
  textOf?(names: readonly string[]): string;
  /** The member in which records show that text. @default none does, so the text is made of the key's names */
  readonly shownAs?: string;
  /**
   * The key of a live record.
   * @param account the record's account, where it is listed
   * @default its members that are named as the key's attributes are
   */
  namesOf?(record: T, account: AccountRecord | undefined): readonly string[];
  /** The name of its account, in a key as text. @default it is not known */
  accountIn?(text: string): string;
  /** Members by which an answer is known to be a whole record, and not only a copy of the request. */
  readonly whole: readonly string[];
  /** Each of these rights is enough to see every record, so that an unlisted record is absent. Empty if every caller sees all. */
  readonly seenWith: readonly Right[];
  /** A second record, which comes into being with one and holds some of its attributes (`ofPrimary`). */
  readonly part?: {
    /** The family that its records would belong to on their own. */
    readonly of: RecordFamily;
    /** The member of the first record that holds its id. */
    readonly id: string;
    /** The attribute that holds its uuid. */
    readonly uuid: string;
  };
  /** The member of `new Deletion(…)` that names objects of the family; absent if there is none. */
  readonly removedBy?: "account" | "login";
  readonly container?: Container;

  /**
   * True if a record is a part of another object, so that it is never managed by itself: a primary user profile.
   * @param account the record's account, where it is listed
   */
  isPart?(record: T, account: AccountRecord | undefined): boolean;
  /** Changes the plan for an object that is live. */
  adjust?(planned: ObjectValue, config: ObjectValue, prior: ObjectValue): ObjectValue;
  /** Warnings about an update. */
  warn?(changes: readonly AttributeChange[]): readonly Finding[];
  /** Members that an update must send in addition to the changes, and the attributes that confirm the update. */
  extraUpdate?(
    config: ObjectValue,
    prior: ObjectValue,
  ): { readonly body: ObjectValue; readonly shows: ObjectValue } | undefined;
  mayDelete?(connection: Connection, request: DeleteRequest): Promise<readonly Finding[]>;
  /** The last look before the DELETE. @throws where the record must stay */
  beforeDelete?(connection: Connection, record: T, request: DeleteRequest): Promise<void>;
}

/** A family with the content of its lists. */
export type ListedRecordFamily = RecordFamily & { readonly inventory: Inventory };

/** The attribute by which a record belongs to an account. */
export const ACCOUNT_ID = "account_id";

export function isInAccount({ key }: RecordFamily): boolean {
  return key.includes(ACCOUNT_ID);
}

/** A natural key as people read it. */
export function textOfNames(family: RecordFamily, names: readonly string[]): string {
  return family.textOf?.(names) ?? names.join(":");
}

/** The name of an object in messages, from its state, a record or its configuration; undefined if nothing names it. */
export function titleOf({ shownAs = "", key }: RecordFamily, known: ObjectValue | null): string | undefined {
  return textOf(known?.[shownAs]) ?? textOf(known?.[key.at(-1) ?? ""]);
}

// Careful readers of records' members.

/** The record's sequence number (spec 2.1), where it shows one. */
export function sequenceOf(record: ObjectValue): number | bigint | undefined {
  const seq = record["seq"];
  return isInteger(seq) ? seq : undefined;
}

/** True if an answer is a whole record, and not only a copy of the request. */
export function isWhole(record: ObjectValue | undefined, { whole }: RecordFamily): boolean {
  return record !== undefined && whole.every((name) => Object.hasOwn(record, name));
}

/** The name of a record in messages: its id, or else its serial. */
export function idOf(record: CommonRecord): string {
  return record.id ?? record.serial ?? "unknown";
}

/**
 * Id of a known object.
 * @throws notVerified if its create could not learn the id, and no refresh has found the record since
 */
export function idOfState(prior: ObjectValue): string {
  const id = knownId(prior);
  if (id === undefined)
    throw notVerified.error(
      "the service did not return the id of the new object; a refresh looks for the object",
    );
  return id;
}

export function knownId(prior: ObjectValue): string | undefined {
  return textOf(prior["id"]) ?? textOf(prior["serial"]);
}

/** A state in which only client-only attributes have values: their defaults. For imported objects. */
export function clientDefaults(attributes: Attributes): ObjectValue {
  const state: Record<string, Value> = {};
  for (const [name, { defaultValue }] of Object.entries(attributes)) state[name] = defaultValue ?? null;
  return state;
}

/** Paths of the write-only values that an update has to send. */
export function secretsDue(changes: readonly AttributeChange[], isImported: boolean): readonly Path[] {
  return changes
    .filter((change) => isVersionPath(change.path) && change.after !== null)
    .filter((change) => !isVersionRecorded(change, isImported))
    .map(({ path }) => secretPath(path));
}

/**
 * True if a change is the first version of a secret of an imported object. The object may have the declared secret already, so the version is recorded and
 * the secret is not sent.
 */
export function isVersionRecorded(
  { path, attribute, before, after }: AttributeChange,
  isImported: boolean | undefined,
): boolean {
  const last = before ?? (isImported === true ? undefined : null);
  return (
    isVersionPath(path) && diff(attribute, after ?? undefined, undefined, lastValue(last)) === "recorded"
  );
}
