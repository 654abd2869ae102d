/** Finds the live record that is meant, by uuid and then by key, for resources, data sources and imports. */
import type { CommonRecord } from "../../api";
import {
  type NaturalKey,
  ownedFamilies,
  type Owners,
  proofOf,
  strangerOf,
  uuidVersion,
} from "../../ownership";
import {
  asWarning,
  Conflict,
  type Diagnostic,
  type ErrorDetails,
  Foreign,
  InvalidValue,
  NoSuchObject,
  OtherOwner,
  OtherOwnerKey,
  OtherUuid,
  OwnerUnknown,
  RenamedOutside,
  ValidationRefused,
} from "../../problems";
import { type Attributes, readState } from "../../schema";
import { ALL_RIGHTS, type Connection, type Doubt, type Snapshot } from "../../service";
import { isUnknown, type ObjectValue, type Value } from "../../values";
import type { LiveObject, Outcome, Records, LookupResult } from "../family";
import { shownRights } from "../permissions";
import { clientDefaults, type RecordKind, text } from "./kind";

/** The lists as they are now. */
export async function listsNow({ directory }: Connection): Promise<Snapshot> {
  directory.invalidate();
  return directory.snapshot();
}

// Data sources: one record by exactly one of its keys, or many by a prefix.

/** Exactly one of the keys must be given. */
export function checkOneOf(names: readonly string[], config: ObjectValue): readonly Diagnostic[] {
  const given = names.filter((name) => (config[name] ?? null) !== null);
  if (given.length === 1) return [];
  // Which of several keys will be null may be known only later.
  if (given.length > 1 && given.some((name) => isUnknown(config[name]))) return [];
  const list = names.map((name) => `"${name}"`).join(", ");
  return new InvalidValue(`exactly one of ${list} must be set`, {
    advice: given.length === 0 ? "Set one of them." : `Keep one of ${given.join(" and ")}.`,
  }).toDiagnostics();
}

/**
 * The record that has the given value; filters of the service's are not relied on.
 * @throws NoSuchObject
 */
export function requireOne<T extends ObjectValue>(
  noun: string,
  names: readonly string[],
  config: ObjectValue,
  find: (value: string) => T | undefined,
): T {
  const name = names.find((candidate) => text(config[candidate]) !== undefined) ?? "";
  const value = text(config[name]) ?? "";
  const record = find(value);
  const shown = text(record?.[name]);
  if (record !== undefined && shown?.normalize("NFC") === value.normalize("NFC")) return record;
  throw new NoSuchObject(noun, `${name} ${JSON.stringify(value)}`, { attribute: [name] });
}

/** Whether a record's key begins as asked; everything does where nothing is asked. */
export function hasPrefix(key: string | null | undefined, prefix: string | undefined): boolean {
  return prefix === undefined || (key ?? "").normalize("NFC").startsWith(prefix);
}

/** Records by their keys, then by their ids, so that the service's order makes no difference. */
export function inOrder<T extends ObjectValue>(
  records: readonly T[],
  keyOf: (record: T) => string | null | undefined,
): readonly T[] {
  return [...records].sort(
    (a, b) => compare(keyOf(a) ?? "", keyOf(b) ?? "") || compare(text(a["id"]) ?? "", text(b["id"]) ?? ""),
  );
}

/**
 * A record as the value of a data source: `permissions` with all 49 rights, and what changes at every look only where the
 * configuration asks for it.
 *
 * @param changing names of the attributes that change at every look
 */
export function shownState(
  attributes: Attributes,
  changing: readonly string[],
  record: ObjectValue,
  config: ObjectValue,
): ObjectValue {
  const state: Record<string, Value> = { ...readState(attributes, { self: record }, null) };
  const rights = shownRights(record);
  if ("permissions" in attributes && rights !== undefined) {
    const none = Object.fromEntries(ALL_RIGHTS.map((right) => [right, false]));
    state["permissions"] = { ...none, ...rights };
  }
  if ("volatile" in attributes) state["volatile"] = config["volatile"] ?? null;
  if (config["volatile"] !== true) for (const name of changing) state[name] = null;
  return state;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Declared objects: matched by uuid of any generation, and then by key (design: Ownership).

/** The live records of one kind, as far as matching looks at them. */
export interface Shelf<T extends CommonRecord> {
  /** As in the description. */
  readonly noun: string;
  withUuid(uuid: string): T | undefined;
  ofFamily(family: string): readonly T[];
  withKey(key: string): T | undefined;
  /** The natural key of a record as text: the account's name, the profile's login. */
  keyOf(record: T): string;
  recordsOf(record: T): Records;
}

interface Wanted {
  readonly key: NaturalKey;
  /** Its text, as {@link Shelf.keyOf} writes it. */
  readonly text: string;
  /** The uuid that the user declared. */
  readonly uuid: string | undefined;
}

export function seek<T extends CommonRecord>(
  shelf: Shelf<T>,
  wanted: Wanted,
  owners: Owners | undefined,
): LookupResult {
  return wanted.uuid === undefined
    ? seekOwned(shelf, wanted, owners)
    : seekDeclared(shelf, wanted, wanted.uuid);
}

/** An object under a uuid of the user's is ours while it is declared. */
function seekDeclared<T extends CommonRecord>(shelf: Shelf<T>, wanted: Wanted, uuid: string): LookupResult {
  const { noun } = shelf;
  const found = shelf.withUuid(uuid);
  if (found !== undefined) {
    const text = shelf.keyOf(found);
    if (text === wanted.text) return live(shelf, wanted.key, found, { claim: "ours", proof: undefined });
    const error = new RenamedOutside(noun, wanted.text, text, idOf(found));
    return { kind: "refused", error, key: wanted.key, found: shelf.recordsOf(found) };
  }
  const named = shelf.withKey(wanted.text);
  if (named === undefined) return { kind: "absent", key: wanted.key };
  const other = named.uuid ?? "that the service does not show";
  const error = new OtherUuid(noun, wanted.text, uuid, other, idOf(named));
  return { kind: "refused", error, key: wanted.key, found: shelf.recordsOf(named) };
}

function seekOwned<T extends CommonRecord>(
  shelf: Shelf<T>,
  { key, text }: Wanted,
  owners: Owners | undefined,
): LookupResult {
  const named = shelf.withKey(text);
  const proof = owners && named && proofOf(named.uuid ?? "", key, owners);
  // The record with the key usually has the uuid, too: then the index of all uuids is not needed.
  if (named !== undefined && proof !== undefined) return live(shelf, key, named, { claim: "ours", proof });
  const made =
    owners === undefined ? [] : ownedFamilies(key, owners).flatMap(({ family }) => shelf.ofFamily(family));
  const found = made.find((record) => shelf.keyOf(record) === text);
  if (found !== undefined) return claimed(shelf, key, found, owners);
  const [renamed] = made;
  if (renamed !== undefined) {
    const error = new RenamedOutside(shelf.noun, text, shelf.keyOf(renamed), idOf(renamed));
    return { kind: "refused", error, key, found: shelf.recordsOf(renamed) };
  }
  if (named === undefined) return { kind: "absent", key };
  return live(shelf, key, named, { claim: "foreign", proof: undefined });
}

/**
 * A record that an import block names: anybody's but another owner's.
 * @param named whether the block gives its name or login, and not its id or serial
 */
export function takeIn<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  owners: Owners | undefined,
  named: boolean,
): LookupResult {
  const { noun } = shelf;
  const text = shelf.keyOf(record);
  const uuid = record.uuid ?? "";
  if (owners === undefined) {
    const hasOwner = [5, 8].includes(uuidVersion(uuid) ?? 0);
    const warnings = hasOwner ? asWarning(new OwnerUnknown(noun, text, idOf(record))) : [];
    return { ...live(shelf, key, record, { claim: "foreign", proof: undefined }), warnings };
  }
  const found = claimed(shelf, key, record, owners);
  switch (strangerOf(uuid, key, owners)) {
    case "another owner":
      return { kind: "refused", error: new OtherOwner(noun, text, idOf(record)) };
    case "ourselves without a key":
      return { kind: "refused", error: new OtherOwner(noun, text, idOf(record), withoutKey(uuid)) };
    case "unknown key": {
      const error = new OtherOwnerKey(noun, text, idOf(record));
      return named ? { kind: "refused", error } : { ...found, warnings: asWarning(error) };
    }
    default:
      return found;
  }
}

/** What is declared and live, and isn't ours; the advice follows from who may have made it. */
export function foreignTo(
  noun: string,
  title: string,
  { records: { self }, key }: LiveObject,
  owners: Owners | undefined,
  details: ErrorDetails = {},
): Foreign {
  const uuid = typeof self["uuid"] === "string" ? self["uuid"] : "";
  const stranger = owners === undefined ? undefined : strangerOf(uuid, key, owners);
  const id = idOf(self);
  if (stranger === "ourselves without a key")
    return new Foreign(noun, title, id, { ...withoutKey(uuid), ...details });
  if (stranger === "unknown key")
    return new Foreign(noun, title, id, {
      detail: `It was made under an owner key that this run does not have (id ${id}).`,
      advice: `Give the key that it was made under (TENANCY_OWNER_KEY, or TENANCY_PREVIOUS_OWNER_KEY); if the key is lost, adopt it by its id, with an import block (id = ${JSON.stringify(id)}).`,
      ...details,
    });
  return new Foreign(noun, title, id, details);
}

/** A uuid that one of our names gives without our key is no longer a proof. */
function withoutKey(uuid: string): ErrorDetails {
  return {
    detail:
      "Its uuid follows from our owner's name without the owner key: either it was made before there was a key, or somebody else chose that uuid.",
    advice: `If you are sure that it is yours, write uuid = ${JSON.stringify(uuid)} in its declaration, or set TENANCY_PREVIOUS_OWNER_KEY=none while you move to the key. If not, delete it, or choose another name.`,
  };
}

function claimed<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  owners: Owners | undefined,
): LiveObject {
  const proof = owners === undefined ? undefined : proofOf(record.uuid ?? "", key, owners);
  return live(shelf, key, record, { claim: proof === undefined ? "foreign" : "ours", proof });
}

function live<T extends CommonRecord>(
  shelf: Shelf<T>,
  key: NaturalKey,
  record: T,
  claim: Pick<LiveObject, "claim" | "proof">,
): LiveObject {
  return { kind: "live", records: shelf.recordsOf(record), key, ...claim, warnings: [] };
}

/** How messages name a record: by its id, or what else it has. */
export function idOf(record: CommonRecord): string {
  return record.id ?? record.serial ?? "unknown";
}

// Imports: by id, serial number or natural key.

/** @throws NoSuchObject, OtherOwner, PrimaryProfile */
export async function importRecord<T extends CommonRecord>(
  { inventory, description }: RecordKind<T>,
  { directory, owners }: Connection,
  idOrKey: string,
): Promise<Outcome> {
  const lookup = inventory.locateById(idOrKey, await directory.snapshot(), owners);
  if (lookup.kind === "refused") throw lookup.error;
  if (lookup.kind !== "live") {
    const { noun } = description;
    const key = noun === "account" ? "name" : "login";
    throw new NoSuchObject(noun, `the id, serial or ${key} ${JSON.stringify(idOrKey)}`);
  }
  const state = inventory.stateOf(lookup.records, clientDefaults(description.attributes));
  return { state, records: lookup.records, diagnostics: lookup.warnings };
}

// Duplicates: what a refused create has collided with (design: Ownership).

/** An object that is to be created. */
export interface Creation {
  /** Natural key as text. */
  readonly text: string;
  /** What the configuration's object is among the live ones. */
  locate(snapshot: Snapshot): LookupResult;
  /** Why absence from those lists proves nothing. */
  doubt(snapshot: Snapshot): Doubt | undefined;
  /** Uuid that the user declared. */
  readonly uuid: string | undefined;
  /** Body of the POST; its `uuid` is the one that the object is looked for by. */
  body(generation: number): ObjectValue & { readonly uuid: string };
}

/**
 * Finds the cause of a duplicate.
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
  const lookup = creation.locate(snapshot);
  if (lookup.kind === "refused") throw lookup.error;
  if (lookup.kind === "live") {
    const record = lookup.records.self as T;
    if (lookup.claim === "ours" || text(record.uuid)?.toLowerCase() === uuid.toLowerCase()) return record;
    throw foreignTo(kind.description.noun, creation.text, lookup, connection.owners, { cause: refusal });
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
