/** Remembers values of one live object that the service does not show again. */
import { createHmac, hkdfSync } from "node:crypto";
import {
  formatPath,
  isInteger,
  normalForm,
  type ObjectValue,
  type Path,
  sortedJson,
  type Value,
} from "../lib/values";
import { matchesHash, saltedHash } from "./secret-hash";
import { asText, Misshapen, Shape } from "./shape";

/** What a ledger remembers of live objects. What is remembered of another uuid under the same key is as good as absent. */
export class ObjectMemories {
  readonly #memories: Map<string, ObjectMemory>;
  readonly #digestKey: Buffer;
  readonly #changed: () => void;
  /** What was remembered before {@link suspend}, by key. */
  readonly #suspended = new Map<string, ObjectMemory | undefined>();

  /** @param changed called before each change; throws where none is allowed */
  constructor(memories: Map<string, ObjectMemory>, digestKey: Buffer, changed: () => void) {
    this.#memories = memories;
    this.#digestKey = digestKey;
    this.#changed = changed;
  }

  /** The version of a write-only value that was sent last, or noted for a live record without sending. */
  sentVersion(object: RememberedObject, path: Path): SentVersion | undefined {
    return this.#of(object)?.writeOnly.get(formatPath(path));
  }

  /** Whether a version of any write-only value is remembered. */
  hasSentVersion(object: RememberedObject): boolean {
    const memory = this.#of(object);
    return memory !== undefined && [...memory.writeOnly.values()].some(({ version }) => version !== null);
  }

  /** @param secret the value itself, of which only a salted hash is kept; left out where it is not at hand */
  async recordVersion(
    object: RememberedObject,
    path: Path,
    version: SentVersion["version"],
    secret?: string,
  ): Promise<void> {
    const hash = secret === undefined ? null : await saltedHash(secret);
    this.#changed();
    const memory = this.#make(object);
    memory.writeOnly.set(formatPath(path), { version, hash });
    memory.onlyRecorded.delete(formatPath(path));
  }

  /** Whether a version or a value was only recorded as it is declared: no write has sent it. */
  isOnlyRecorded(object: RememberedObject, path: Path): boolean {
    return this.#of(object)?.onlyRecorded.has(formatPath(path)) === true;
  }

  /** Notes that a version or a value, which is remembered already, was never sent. */
  markOnlyRecorded(object: RememberedObject, path: Path): void {
    this.#changed();
    this.#make(object).onlyRecorded.add(formatPath(path));
  }

  /**
   * Whether the secret is the one recorded. Takes some milliseconds of a core on purpose; ask for many at once.
   * @returns undefined where there is nothing to compare with
   */
  async isSameSecret(object: RememberedObject, path: Path, secret: string): Promise<boolean | undefined> {
    return matchesHash(secret, this.sentVersion(object, path)?.hash ?? "");
  }

  /**
   * Whether a value that the service masks or leaves out is the one remembered.
   * @returns undefined where none is remembered; "untold" where one is, and a snapshot does not tell which
   */
  isSameValue(object: RememberedObject, path: Path, value: Value): boolean | undefined | typeof UNTOLD {
    const digest = this.#of(object)?.digests.get(formatPath(path));
    if (digest === UNTOLD) return UNTOLD;
    return digest === undefined ? undefined : digest === this.#digest(object, path, value);
  }

  rememberValue(object: RememberedObject, path: Path, value: Value): void {
    this.#changed();
    const memory = this.#make(object);
    memory.digests.set(formatPath(path), this.#digest(object, path, value));
    memory.onlyRecorded.delete(formatPath(path));
  }

  /**
   * A write is about to send these. If nobody learns how it ended, nothing is known of them, and what is declared is sent again.
   * @param secrets paths of write-only values
   * @param values paths of values that the service may not show
   */
  suspend(object: RememberedObject, secrets: readonly Path[], values: readonly Path[]): void {
    if (secrets.length + values.length === 0) return;
    this.#changed();
    const key = normalForm(object.key);
    const before = this.#memories.get(key);
    this.#suspended.set(key, before && copyOf(before));
    const { writeOnly, digests } = this.#make(object);
    for (const path of secrets) writeOnly.set(formatPath(path), { version: null, hash: null });
    for (const path of values) digests.set(formatPath(path), UNKNOWN);
  }

  /** The result of the write is known, or the write was not begun: the earlier memory holds again. What the write has left is noted after this. */
  restore(key: string): void {
    const name = normalForm(key);
    if (!this.#suspended.has(name)) return;
    this.#changed();
    const before = this.#suspended.get(name);
    if (before === undefined) this.#memories.delete(name);
    else this.#memories.set(name, before);
    this.#suspended.delete(name);
  }

  /** The record that an apply has taken under management; undefined where none has. */
  recordOf(object: RememberedObject): ManagedRecord | undefined {
    return this.#of(object)?.record;
  }

  /** Whether {@link keepRecord} would change nothing. */
  isRecordKept(object: RememberedObject, record: ManagedRecord): boolean {
    const known = this.recordOf(object);
    return known !== undefined && RECORD_MEMBERS.every((name) => known[name] === record[name]);
  }

  keepRecord(object: RememberedObject, record: ManagedRecord): void {
    if (this.isRecordKept(object, record)) return;
    this.#changed();
    this.#make(object).record = record;
  }

  /** Forgets a deleted object. */
  forget(key: string): void {
    this.#changed();
    this.#memories.delete(normalForm(key));
  }

  #of(object: RememberedObject): ObjectMemory | undefined {
    return recallOf(this.#memories, object);
  }

  #make(object: RememberedObject): ObjectMemory {
    return memoryOf(this.#memories, object);
  }

  #digest({ key }: RememberedObject, path: Path, value: Value): string {
    return keyedDigest(this.#digestKey, normalForm(key), formatPath(path), value);
  }
}

/** In place of a digest: something is remembered, and nothing is known of it. */
export const UNTOLD = "untold";

/** In place of a digest: a write of the value ended without a known result. No digest equals it. */
const UNKNOWN = "unknown";

/** The memory of a live object; undefined where there is none, or one of another uuid. */
export function recallOf(
  memories: ReadonlyMap<string, ObjectMemory>,
  { key, uuid }: RememberedObject,
): ObjectMemory | undefined {
  const memory = memories.get(normalForm(key));
  return memory?.uuid === uuid.toLowerCase() ? memory : undefined;
}

/** The memory of a live object, made where there is none. */
export function memoryOf(memories: Map<string, ObjectMemory>, object: RememberedObject): ObjectMemory {
  const known = recallOf(memories, object);
  if (known !== undefined) return known;
  const uuid = object.uuid.toLowerCase();
  const memory = {
    uuid,
    writeOnly: new Map(),
    digests: new Map(),
    onlyRecorded: new Set<string>(),
    left: undefined,
    record: undefined,
    unknown: {},
  };
  memories.set(normalForm(object.key), memory);
  return memory;
}

function copyOf(memory: ObjectMemory): ObjectMemory {
  return {
    ...memory,
    writeOnly: new Map(memory.writeOnly),
    digests: new Map(memory.digests),
    onlyRecorded: new Set(memory.onlyRecorded),
  };
}

/** A live record, as the store knows it again. */
export interface RememberedObject {
  /** Kind and natural key, such as `user_profile:jane@acme`. */
  readonly key: string;
  /** The object's uuid. Memories of an earlier record under the same key do not belong to this object. */
  readonly uuid: string;
}

/** A version of a write-only value that was sent. */
interface SentVersion {
  /** Null where none was declared, or where a write of it ended without a known result. */
  readonly version: number | bigint | string | null;
  /** See {@link saltedHash}; null where the value was not at hand. */
  readonly hash: string | null;
}

/** A live record that an apply has taken under management. The store's word for it stands in for the proof that its uuid does not give. */
export interface ManagedRecord {
  readonly id?: string | undefined;
  readonly serial?: string | undefined;
  /** Milliseconds since epoch. */
  readonly ctime?: number | bigint | undefined;
  readonly account_id?: string | undefined;
}

const RECORD_MEMBERS = ["id", "serial", "ctime", "account_id"] as const;

export interface ObjectMemory {
  readonly uuid: string;
  /** By attribute path. */
  readonly writeOnly: Map<string, SentVersion>;
  /** Keyed digests by attribute path. */
  readonly digests: Map<string, string>;
  /** Attribute paths of what stands in the two maps and was never sent. */
  readonly onlyRecorded: Set<string>;
  /** What the last apply left: see `last-apply.ts`. */
  left: string | undefined;
  /** The live record, where its uuid alone does not show that it is ours. */
  record: ManagedRecord | undefined;
  readonly unknown: ObjectValue;
}

export function readMemory(value: Value, place: string): ObjectMemory {
  const shape = new Shape(value, place);
  return {
    uuid: shape.text("uuid"),
    writeOnly: has(shape, "write_only")
      ? shape.map("write_only", readSentVersion)
      : new Map<string, SentVersion>(),
    digests: has(shape, "digests") ? shape.map("digests", asText) : new Map<string, string>(),
    onlyRecorded: new Set(has(shape, "only_recorded") ? shape.texts("only_recorded") : []),
    left: shape.member("left") === undefined ? undefined : shape.text("left"),
    record: has(shape, "record") ? readRecord(shape.member("record"), shape.at("record")) : undefined,
    unknown: shape.unknown(),
  };
}

function readRecord(value: Value | undefined, place: string): ManagedRecord {
  const shape = new Shape(value, place);
  const ctime = shape.member("ctime");
  if (ctime !== undefined && !isInteger(ctime)) throw new Misshapen(shape.at("ctime"), "an integer");
  const textOf = (name: string) => (has(shape, name) ? shape.text(name) : undefined);
  return { id: textOf("id"), serial: textOf("serial"), ctime, account_id: textOf("account_id") };
}

/** Without the members that the service does not show. */
export function writeRecord(record: ManagedRecord): ObjectValue {
  return Object.fromEntries(
    RECORD_MEMBERS.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]] as const])),
  );
}

function has(shape: Shape, name: string): boolean {
  return shape.member(name) !== undefined;
}

/** Whether it says no more than that there was an object. */
export function isEmpty({ writeOnly, digests, left, record, unknown }: ObjectMemory): boolean {
  return (
    writeOnly.size + digests.size === 0 &&
    left === undefined &&
    record === undefined &&
    Object.keys(unknown).length === 0
  );
}

export function writeMemory(memory: ObjectMemory): Value {
  const { uuid, writeOnly, digests, onlyRecorded, left, record, unknown } = memory;
  return {
    uuid,
    ...(writeOnly.size > 0 && { write_only: Object.fromEntries(writeOnly) as unknown as Value }),
    ...(digests.size > 0 && { digests: Object.fromEntries(digests) }),
    ...(onlyRecorded.size > 0 && { only_recorded: [...onlyRecorded] }),
    ...(left !== undefined && { left }),
    ...(record !== undefined && { record: writeRecord(record) }),
    ...unknown,
  };
}

function readSentVersion(value: Value, place: string): SentVersion {
  const shape = new Shape(value, place);
  const version = shape.member("version");
  if (version !== null && !["number", "bigint", "string"].includes(typeof version))
    throw new Misshapen(shape.at("version"), "a number, string or null");
  if (shape.member("hash") !== null) shape.text("hash");
  return value as unknown as SentVersion;
}

// Keyed digests tell whether a value is unchanged. Without the store's key they tell nothing about the value.

/**
 * A key of its own for each purpose, so that digests made for one say nothing about those made for another.
 * @param secret the random key of a part of the store
 * @returns 32 bytes
 */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `tenancy ${purpose}`, 32));
}

/** HMAC-SHA256 over the values, in base64. Objects of the same members are the same value in whatever order. */
export function keyedDigest(key: Buffer, ...values: readonly Value[]): string {
  return createHmac("sha256", key).update(sortedJson(values)).digest("base64");
}
