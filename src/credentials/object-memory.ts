/**
 * Remembers objects: versions and digests of values that the service does not show again, a digest of each value after the last apply, and
 * the live record of an object whose uuid does not prove that it is managed. Changes are in memory until the store is saved.
 */
import {
  type AppliedMemory,
  type AppliedValues,
  equal,
  formatPath,
  normalForm,
  type ObjectValue,
  type Path,
  type Value,
} from "../lib/values";
import { layoutId, ObjectDigests } from "./memory-digests";
import {
  HIDDEN,
  isEmptyEntry,
  type ManagedRecord,
  type MemoryPart,
  memoryKey,
  type ObjectEntry,
  RECORD_MEMBERS,
  type RememberedObject,
  type SentVersion,
} from "./memory-document";
import { ObjectDraft, type RememberedEnds, SUSPENDED } from "./object-draft";
import { matchesHash } from "./secret-hash";

/** In place of a digest: a write of the value ended without a known result. No digest equals it. */
const UNKNOWN_VALUE = "unknown";

/** A live object that the store has recorded. */
export interface RecordedObject {
  /** Kind and natural key, such as `user_profile:jane@acme`. */
  readonly key: string;
  readonly record: ManagedRecord & { readonly uuid: string };
}

/** An object as an apply leaves it. */
export interface LeftObject {
  readonly object: RememberedObject;
  readonly left: AppliedValues;
  /** Null if the object is not declared; undefined if the declaration is not wholly known. */
  readonly declaration: Value | undefined;
  /** Undefined for no change: the remembered ends stay. */
  readonly ends?: RememberedEnds | undefined;
  readonly record?: ManagedRecord | undefined;
  /** Undefined for no change: the remembered privileges stay. */
  readonly privileges?: ObjectValue | undefined;
  /** True if the object is declared as suspended. @default false */
  readonly isSuspended?: boolean;
  /** True if the object is declared with `destroy = false`. Undefined where the remembered declaration stays. */
  readonly isRetained?: boolean;
}

const NO_ENDS: RememberedEnds = { days: {}, areRightsOpen: false };

export class ObjectMemory {
  readonly #memory: MemoryPart;
  readonly #key: Buffer;
  readonly #changed: () => void;
  /** Keys of recorded objects by their ids, and by their uuids. */
  #keys: Map<string, string> | undefined;

  /** @param beforeChange called before each change; throws if none is allowed */
  constructor(
    memory: MemoryPart,
    partKey: Buffer,
    beforeChange: () => void,
    /** True if there is a memory that this run cannot open. */
    private readonly isClosed = false,
  ) {
    this.#memory = memory;
    this.#key = memoryKey(partKey);
    this.#changed = beforeChange;
  }

  get isComplete(): boolean {
    return this.#memory.isComplete;
  }

  markComplete(): void {
    if (this.#memory.isComplete) return;
    this.#changed();
    this.#memory.isComplete = true;
  }

  /** True if a run began to write the object, and did not note the result. */
  isPending(key: string): boolean {
    return this.#memory.objects.get(normalForm(key))?.pending === true;
  }

  /** True if an apply left an object of this key, be it another one than the live one. */
  hasLeft(key: string): boolean {
    return this.#memory.objects.get(normalForm(key))?.left !== undefined;
  }

  /** Objects that an apply left. */
  leftObjects(): readonly RememberedObject[] {
    return [...this.#memory.objects].flatMap(([key, { uuid, left: packedValues }]) =>
      packedValues === undefined ? [] : [{ key, uuid }],
    );
  }

  /** The values that the last apply left; undefined if nothing is known, or an object of another uuid was left under the key. */
  leftOf(object: RememberedObject): AppliedMemory | undefined {
    const { key, entry } = this.#find(object) ?? {};
    if (key === undefined || entry?.left === undefined) return undefined;
    return new ObjectDigests(this.#key, key).unpack(entry.left, this.#memory.layouts);
  }

  /** The version of a write-only value that was sent last, or noted for a live record without sending. */
  sentVersion(object: RememberedObject, path: Path): SentVersion | undefined {
    return this.#of(object)?.write_only?.[formatPath(path)];
  }

  /** True if a version of any write-only value is remembered. */
  hasSentVersion(object: RememberedObject): boolean {
    return Object.values(this.#of(object)?.write_only ?? {}).some(({ version }) => version !== null);
  }

  /** True if a version or a value was only recorded as it is declared: no write has sent it. */
  isOnlyRecorded(object: RememberedObject, path: Path): boolean {
    return this.#of(object)?.only_recorded?.includes(formatPath(path)) === true;
  }

  /**
   * Compares a secret with the one recorded. Takes some milliseconds of a core on purpose; ask for many at once.
   * @returns undefined if there is nothing to compare with
   */
  async isSameSecret(object: RememberedObject, path: Path, secret: string): Promise<boolean | undefined> {
    return matchesHash(secret, this.sentVersion(object, path)?.hash ?? "");
  }

  /**
   * Compares a value that the service masks or leaves out with the remembered one.
   * @returns undefined if no value is remembered; "hidden" if a value is remembered that the snapshot does not contain
   */
  isSameValue(object: RememberedObject, path: Path, value: Value): boolean | undefined | "hidden" {
    const { key = "", entry } = this.#find(object) ?? {};
    const digest = entry?.digests?.[formatPath(path)];
    if (digest === HIDDEN || this.isClosed) return "hidden";
    if (digest === undefined) return undefined;
    return digest === new ObjectDigests(this.#key, key).sent(formatPath(path), value);
  }

  /** True if the last apply left the object suspended, as it was declared then. */
  isSuspended(object: RememberedObject): boolean {
    return this.isSameValue(object, SUSPENDED, true) === true;
  }

  /** True if the object was declared with `destroy = false` when an apply left it last; undefined where no apply has left it. */
  wasRetained(object: RememberedObject): boolean | undefined {
    const entry = this.#of(object);
    return entry?.retained ?? (entry?.left === undefined ? undefined : false);
  }

  /** The objects whose access has an end, as applies have left them. */
  endingObjects(): readonly (RememberedObject & Pick<RememberedEnds, "days">)[] {
    return [...this.#memory.objects].flatMap(([key, { uuid, ends: days }]) =>
      days === undefined ? [] : [{ key, uuid: uuid.toLowerCase(), days }],
    );
  }

  /** Undefined if no apply has left the object. */
  endsOf(object: RememberedObject): RememberedEnds | undefined {
    const entry = this.#of(object);
    if (entry === undefined || (entry.left === undefined && entry.ends === undefined)) return undefined;
    return { days: entry.ends ?? {}, areRightsOpen: entry.rights_open === true };
  }

  /** The privileges of the object as they were first seen, written or accepted; undefined if none are remembered. */
  privilegesOf(object: RememberedObject): ObjectValue | undefined {
    return this.#memory.privileges.get(this.#of(object)?.privileges ?? "");
  }

  /** The record of an object that an apply has left; undefined if none has. An object that is gone since has a record, too. */
  recordedObject(object: RememberedObject): RecordedObject | undefined {
    const { key = "", entry } = this.#find(object) ?? {};
    return entry && recordInEntry(key, entry);
  }

  /** The record with this id, under any name. */
  recordWithId(id: string): RecordedObject | undefined {
    const { key = "", entry } = this.#findBy(id) ?? {};
    return entry?.record?.id === id ? recordInEntry(key, entry) : undefined;
  }

  /** The remembered record of a key, even if another record is live there now. */
  recordAt(key: string): RecordedObject["record"] | undefined {
    const entry = this.#memory.objects.get(normalForm(key));
    return entry && recordInEntry(key, entry)?.record;
  }

  /** True if the object that is recorded under a key is managed. */
  isRecorded(key: string): boolean {
    const record = this.recordAt(key);
    return record !== undefined && record.past !== true;
  }

  /** The recorded objects that are managed. */
  recordedObjects(): readonly RecordedObject[] {
    return [...this.#memory.objects].flatMap(([key, entry]) =>
      entry.record?.past === true ? [] : (recordInEntry(key, entry) ?? []),
    );
  }

  /** The object is released: its record says no more than that it was managed, and that counts where it is declared again. */
  release(key: string): void {
    const { uuid, record } = this.#memory.objects.get(normalForm(key)) ?? {};
    if (uuid !== undefined && record !== undefined)
      this.#set(normalForm(key), { uuid, record: { ...record, past: true } });
  }

  /**
   * Begins a write. Until its result is known, the object counts as pending, and the sent values are unknown. If the run is killed, the
   * declared values are sent again, and the run's changes do not count as changes made outside Tenancy.
   * @param sentValues the live object, with paths of write-only values and of values that the service may not show
   */
  begin(
    key: string,
    sentValues?: {
      readonly object: RememberedObject;
      readonly secrets: readonly Path[];
      readonly values: readonly Path[];
    },
  ): PendingWrite {
    const name = normalForm(key);
    const before = this.#memory.objects.get(name);
    const { object, secrets = [], values = [] } = sentValues ?? {};
    // The memory of another record under the key stays until a value of this one is sent.
    const entry =
      object === undefined || secrets.length + values.length === 0
        ? (before ?? { uuid: "" })
        : entryOrNew(object, before);
    const pendingEntry = {
      ...entry,
      ...(secrets.length > 0 && {
        write_only: withAll(entry.write_only, secrets, { version: null, hash: null }),
      }),
      ...(values.length > 0 && { digests: withAll(entry.digests, values, UNKNOWN_VALUE) }),
      pending: true,
    };
    this.#set(name, pendingEntry);
    return {
      undo: () => this.#set(name, before),
      draft: (writtenObject, base) =>
        this.#draft(
          writtenObject,
          base === "nothing"
            ? undefined
            : this.#withFormer(writtenObject, base === "before" ? before : pendingEntry),
        ),
    };
  }

  /** The memory of an object, to be changed. */
  draft(object: RememberedObject): ObjectDraft {
    return this.#draft(object, this.#withFormer(object, this.#memory.objects.get(normalForm(object.key))));
  }

  /** True if {@link note} would change nothing. */
  isNoted({
    object,
    left: appliedValues,
    declaration,
    ends,
    record,
    privileges,
    isSuspended = false,
    isRetained,
  }: LeftObject): boolean {
    const { key, entry } = this.#find(object) ?? {};
    if (key !== normalForm(object.key) || entry?.left === undefined || entry.pending === true) return false;
    if (this.isSuspended(object) !== isSuspended) return false;
    if (isRetained !== undefined && isRetained !== (entry.retained === true)) return false;
    const isRecordNoted =
      record === undefined || RECORD_MEMBERS.every((name) => entry.record?.[name] === record[name]);
    if (!isRecordNoted) return false;
    if (privileges !== undefined && !equal(this.privilegesOf(object) ?? null, privileges)) return false;
    const { days, areRightsOpen } = this.endsOf(object) ?? NO_ENDS;
    const areEndsNoted =
      ends === undefined || (areRightsOpen === ends.areRightsOpen && equal({ ...days }, { ...ends.days }));
    if (!areEndsNoted) return false;
    return new ObjectDigests(this.#key, object.key).isPacked(entry.left, appliedValues, declaration);
  }

  /** Notes the values of an object that the apply did not write. */
  note(leftObject: LeftObject): void {
    if (this.isNoted(leftObject)) return;
    const draft = this.draft(leftObject.object);
    if (leftObject.record !== undefined) draft.noteRecord(leftObject.record);
    if (leftObject.ends !== undefined) draft.noteEnds(leftObject.ends);
    if (leftObject.privileges !== undefined) draft.notePrivileges(leftObject.privileges);
    draft.noteSuspended(leftObject.isSuspended === true);
    if (leftObject.isRetained !== undefined) draft.noteRetained(leftObject.isRetained);
    draft.noteLeft(leftObject.left, leftObject.declaration);
    draft.keep();
  }

  /** Forgets the object's values after the last apply, and keeps the rest, should the object be declared again. */
  forgetLeft(key: string): void {
    const entry = this.#memory.objects.get(normalForm(key));
    if (entry?.left === undefined && entry?.pending === undefined) return;
    const { left: _left, privileges: _privileges, retained: _retained, pending: _pending, ...others } = entry;
    const { record: _record, ...withoutRecord } = others;
    const record = recordOfGone(entry);
    this.#set(normalForm(key), { ...withoutRecord, ...(record !== undefined && { record }) });
  }

  /** Forgets an object that is deleted. The record of an imported one stays, so that its declaration may come back. */
  forget(key: string): void {
    const entry = this.#memory.objects.get(normalForm(key));
    const record = entry && recordOfGone(entry);
    if (entry !== undefined)
      this.#set(normalForm(key), record === undefined ? undefined : { uuid: entry.uuid, record });
  }

  #draft(object: RememberedObject, base: ObjectEntry | undefined): ObjectDraft {
    const digests = new ObjectDigests(this.#key, object.key);
    return new ObjectDraft(entryOrNew(object, base), digests, ({ layout, privileges }, entry) => {
      if (layout !== undefined) this.#memory.layouts.set(layoutId(layout), layout);
      if (privileges !== undefined) this.#memory.privileges.set(entry.privileges ?? "", privileges);
      this.#set(normalForm(object.key), entry);
    });
  }

  #of(object: RememberedObject): ObjectEntry | undefined {
    return this.#find(object)?.entry;
  }

  /** The entry of an object, be it under a former name. */
  #find({ key, uuid }: RememberedObject): FoundEntry | undefined {
    const entry = this.#memory.objects.get(normalForm(key));
    if (entry?.uuid === uuid.toLowerCase()) return { key: normalForm(key), entry };
    const former = uuid === "" ? undefined : this.#findBy(uuid.toLowerCase());
    return former?.entry.uuid === uuid.toLowerCase() && kindInKey(former.key) === kindInKey(key)
      ? former
      : undefined;
  }

  #findBy(idOrUuid: string): FoundEntry | undefined {
    if (this.#keys === undefined) {
      this.#keys = new Map();
      for (const [key, entry] of this.#memory.objects) this.#index(key, entry);
    }
    const key = this.#keys.get(idOrUuid);
    const entry = key === undefined ? undefined : this.#memory.objects.get(key);
    return key === undefined || entry === undefined ? undefined : { key, entry };
  }

  #index(key: string, { uuid, record }: ObjectEntry): void {
    if (record?.id === undefined) return;
    this.#keys?.set(record.id, key);
    this.#keys?.set(uuid, key);
  }

  /** An entry, with the memory of the object's former name. Digests are made for one name, so they stay behind. */
  #withFormer(object: RememberedObject, entry: ObjectEntry | undefined): ObjectEntry | undefined {
    const former = this.#find(object);
    if (former === undefined || former.key === normalForm(object.key)) return entry;
    const { digests: _digests, left: _left, only_recorded: _recorded, ...others } = former.entry;
    return { ...others, ...entry, uuid: others.uuid };
  }

  #set(name: string, entry: ObjectEntry | undefined): void {
    this.#changed();
    if (entry?.record?.id !== undefined) {
      // The object may have had another name before.
      const former = this.#find({ key: name, uuid: entry.uuid });
      if (former?.entry.record?.id === entry.record.id) this.#memory.objects.delete(former.key);
      this.#index(name, entry);
    }
    if (entry === undefined || isEmptyEntry(entry)) this.#memory.objects.delete(name);
    else this.#memory.objects.set(name, entry);
  }
}

/** A write that has begun. */
export interface PendingWrite {
  /** Nothing was written: the earlier memory holds again. */
  undo(): void;
  /**
   * The memory of the written object, to be changed.
   * @param base its remaining memory: `nothing` of a new object, everything from `before` if the result of the write is known, and
   *   otherwise the memory when the write had `begun`
   */
  draft(object: RememberedObject, base: "nothing" | "before" | "begun"): ObjectDraft;
}

/** An entry, and the key that it has. */
interface FoundEntry {
  readonly key: string;
  readonly entry: ObjectEntry;
}

/** The kind in a key, such as `user_profile`. */
function kindInKey(key: string): string {
  return key.slice(0, key.indexOf(":"));
}

/** A created object is made again under its old uuid, and needs no record for that. */
function recordOfGone({ record }: ObjectEntry): ManagedRecord | undefined {
  return record === undefined || record.proven === true ? undefined : { ...record, past: true };
}

function recordInEntry(key: string, { uuid, record }: ObjectEntry): RecordedObject | undefined {
  return record && { key: normalForm(key), record: { ...record, uuid } };
}

/** A memory of another uuid under the same key is as good as none. */
function entryOrNew({ uuid }: RememberedObject, entry: ObjectEntry | undefined): ObjectEntry {
  return entry?.uuid === uuid.toLowerCase() ? entry : { uuid: uuid.toLowerCase() };
}

function withAll<T>(
  members: Readonly<Record<string, T>> | undefined,
  paths: readonly Path[],
  value: T,
): Readonly<Record<string, T>> {
  return { ...members, ...Object.fromEntries(paths.map((path) => [formatPath(path), value])) };
}
